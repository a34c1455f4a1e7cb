import styles from './skeleton.module.css';

/** The place of a line of text that is still on its way. Decorative. */
export function SkeletonBar({ width = 'medium' }: { width?: 'short' | 'medium' | 'full' }) {
  return <span className={styles.bar} data-width={width} aria-hidden="true" />;
}
