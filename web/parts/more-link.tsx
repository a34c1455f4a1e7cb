import { Link, type LinkProps } from 'react-router';
import { classNames } from './class-names.ts';
import styles from './more-link.module.css';

/** A link to where a text goes on, with an arrow that leans that way. */
export function MoreLink({ className, ...rest }: LinkProps) {
  return <Link className={classNames(styles.more, className)} {...rest} />;
}
