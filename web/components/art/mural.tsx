import { createContext, use, useEffect, useRef } from 'react';
import { loadChunk } from '#client/load-chunk.ts';
import { classNames } from '../class-names.ts';
import type { MuralPlan, paintMural } from './draw-mural.ts';
import styles from './mural.module.css';

const PainterContext = createContext<typeof paintMural | undefined>(undefined);
/** Gives the renderer of finished pages what browsers only load when a wall did not come with the page. */
export const PainterProvider = PainterContext;

/** The wall of a plan, decorative. It fills its box and is cut where it does not fit. */
export function Mural({
  plan,
  className,
  align = 'xMinYMin',
}: {
  /** The same object at every rendering. */
  plan: MuralPlan;
  className?: string | undefined;
  align?: 'xMinYMin' | 'xMidYMid' | 'xMaxYMid';
}) {
  const paint = use(PainterContext);
  const wall = useRef<SVGSVGElement>(null);
  const width = plan.columns * plan.side;
  const height = Math.round((plan.rows * plan.side * Math.sqrt(3)) / 2);

  useEffect(() => {
    if (wall.current?.hasChildNodes()) return;
    loadChunk('art/draw-mural', () => import('./draw-mural.ts')).then(
      ({ paintMural }) => wall.current && paintOn(wall.current, paintMural(plan, styles)),
      // It is only decoration.
      () => undefined,
    );
  }, [plan]);

  return (
    <svg
      ref={wall}
      className={classNames(styles.mural, className)}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio={`${align} slice`}
      aria-hidden="true"
      focusable="false"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: paths that the plan draws; React leaves them as they came.
      dangerouslySetInnerHTML={{ __html: paint?.(plan, styles) ?? '' }}
      suppressHydrationWarning
    />
  );
}

function paintOn(wall: SVGSVGElement, paths: string) {
  wall.innerHTML = paths;
}
