import { classNames } from '../class-names.ts';
import styles from './hexaflex.module.css';
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
