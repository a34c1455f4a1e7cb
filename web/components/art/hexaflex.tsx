import { classNames } from '../class-names.ts';
import styles from './art.module.css';
import { flowerPetals } from './petal.ts';

/**
 * The clinic's logo: six petals around a point. The logo is decorative.
 * @param lit how many petals have the accent colour, clockwise from the top
 */
export function Hexaflex({ lit = 1, className }: { lit?: number; className?: string | undefined }) {
  return (
    <svg
      className={classNames(styles.hexaflex, className)}
      viewBox="-3.06 -3.06 6.12 6.12"
      aria-hidden="true"
      focusable="false"
    >
      <path className={styles.rest} d={flowerPetals.slice(lit).join('')} />
      {lit > 0 && <path className={styles.lit} d={flowerPetals.slice(0, lit).join('')} />}
    </svg>
  );
}

/** A wide curve between two sections, in the colour of the next section. */
export function Edge({ into }: { into: 'mist' | 'paper' }) {
  return (
    <svg
      className={classNames(styles.edge, styles[into])}
      viewBox="0 0 1440 80"
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      <path
        d={
          into === 'mist'
            ? 'M0 81V40C220-6 430-4 700 34s480 40 740-14v61z'
            : 'M0 0v24c240 64 480 72 760 30s460-44 680 8V80H0z'
        }
      />
    </svg>
  );
}
