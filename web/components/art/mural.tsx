import { createContext, use, useEffect, useRef } from 'react';
import { loadChunk } from '#client/load-chunk.ts';
import { classNames } from '../class-names.ts';
import type { MuralPlan, paintMural } from './draw-mural.ts';
import styles from './mural.module.css';

const PainterContext = createContext<typeof paintMural | undefined>(undefined);
/**
 * Provides the function that draws murals when the server renders a page. A browser loads this function only
 * for a mural that is not prerendered.
 */
export const PainterProvider = PainterContext;

/** Draws a decorative mural. It fills its box, like `object-fit: cover`. */
export function Mural({
  plan,
  className,
  align = 'xMinYMin',
}: {
  /** Pass the same object on every render, because a new object runs this component's effect again. */
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
      // Ignore the failure: the mural is only decoration.
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
      // biome-ignore lint/security/noDangerouslySetInnerHtml: paths from the plan; hydration keeps them.
      dangerouslySetInnerHTML={{ __html: paint?.(plan, styles) ?? '' }}
      suppressHydrationWarning
    />
  );
}

function paintOn(wall: SVGSVGElement, paths: string) {
  wall.innerHTML = paths;
}
