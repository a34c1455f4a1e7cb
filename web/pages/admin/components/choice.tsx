import type { ComponentProps } from 'react';
import { classNames } from '#web/components/class-names.ts';
import styles from './choice.module.css';

/** A checkbox or radio button with its label. */
export function Choice({
  type,
  children,
  className,
  ...input
}: ComponentProps<'input'> & { type: 'checkbox' | 'radio' }) {
  return (
    <label className={classNames(styles.choice, className)}>
      <input type={type} {...input} />
      {children}
    </label>
  );
}
