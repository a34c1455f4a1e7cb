import { useMemo } from 'react';
import { classNames } from '../class-names.ts';
import styles from './art.module.css';
import { type MuralPlan, paintMural } from './draw-mural.ts';

/** Draws a decorative mural. It fills its box, like `object-fit: cover`. */
export function Mural({
  plan,
  className,
  align = 'xMinYMin',
}: {
  plan: MuralPlan;
  className?: string | undefined;
  align?: 'xMinYMin' | 'xMidYMid' | 'xMaxYMid';
}) {
  const width = plan.columns * plan.side;
  const height = Math.round((plan.rows * plan.side * Math.sqrt(3)) / 2);
  const paths = useMemo(() => paintMural(plan, styles), [plan]);

  return (
    <svg
      className={classNames(styles.mural, className)}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio={`${align} slice`}
      aria-hidden="true"
      focusable="false"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the paths come from the plan.
      dangerouslySetInnerHTML={{ __html: paths }}
    />
  );
}
