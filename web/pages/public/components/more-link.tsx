import { classNames } from '#web/components/class-names.ts';
import { Link, type LinkProps } from '#web/components/link.tsx';
import styles from './more-link.module.css';

/** A link to more text, with an arrow that moves on hover. */
export function MoreLink({ className, ...rest }: LinkProps) {
  return <Link className={classNames(styles.more, className)} {...rest} />;
}
