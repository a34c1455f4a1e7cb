import { classNames } from '../class-names.ts';
import type { DrawnMural } from './draw-mural.ts';
import styles from './mural.module.css';

/** The wall, decorative. It fills its box and is cut where it does not fit. */
export function Mural({
  drawn,
  className,
  align = 'xMinYMin',
}: {
  drawn: DrawnMural;
  className?: string | undefined;
  align?: 'xMinYMin' | 'xMidYMid' | 'xMaxYMid';
}) {
  return (
    <svg
      className={classNames(styles.mural, className)}
      viewBox={`0 0 ${drawn.width} ${Math.round(drawn.height)}`}
      preserveAspectRatio={`${align} slice`}
      aria-hidden="true"
      focusable="false"
    >
      <path className={styles.grout} d={drawn.grout} />
      {drawn.petals.map(([tint, path]) => (
        <path key={tint} className={styles[tint]} d={path} />
      ))}
    </svg>
  );
}
