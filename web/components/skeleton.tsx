import styles from './skeleton.module.css';

/** The decorative placeholder of a line of text that is loading. */
export function SkeletonBar({ width = 'medium' }: { width?: 'short' | 'medium' | 'full' }) {
  return <span className={styles.bar} data-width={width} aria-hidden="true" />;
}
