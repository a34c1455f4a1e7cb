import type { ComponentProps } from 'react';
import styles from './button.module.css';
import { classNames } from './class-names.ts';
import { Link, type LinkProps } from './link.tsx';

type Look = {
  /** Use `primary` once per view, and `danger` for actions that delete something or change admins. */
  variant?: 'primary' | 'dark' | 'quiet' | 'danger' | undefined;
  size?: 'small' | 'medium' | 'large' | undefined;
};

/** Returns the class names that make another element look like a button. */
export const buttonClassNames = ({ variant = 'primary', size = 'medium' }: Look, className?: string) =>
  classNames(styles.button, styles[variant], styles[size], className);

/** A button. Its `type` is `button` by default; in HTML, the default is `submit`. */
export function Button({
  variant,
  size,
  className,
  type = 'button',
  ...rest
}: Look & ComponentProps<'button'>) {
  return <button type={type} className={buttonClassNames({ variant, size }, className)} {...rest} />;
}

/** A link inside the site that looks like a button. */
export function ButtonLink({ variant, size, className, ...rest }: Look & LinkProps) {
  return <Link className={buttonClassNames({ variant, size }, className)} {...rest} />;
}

/** A link that looks like a button, and loads a document: of another site, or of this one. */
export function ButtonAnchor({ variant, size, className, ...rest }: Look & ComponentProps<'a'>) {
  return <a className={buttonClassNames({ variant, size }, className)} {...rest} />;
}

/** A round button with an icon and no visible text; `label` is its accessible name. */
export function IconButton({
  label,
  danger = false,
  className,
  type = 'button',
  ...rest
}: { label: string; danger?: boolean } & ComponentProps<'button'>) {
  return (
    <button
      type={type}
      aria-label={label}
      className={classNames(styles.icon, danger && styles.iconDanger, className)}
      {...rest}
    />
  );
}

/** A round link with an icon and no visible text; `label` is its accessible name. */
export function IconLink({ label, className, ...rest }: { label: string; className?: string } & LinkProps) {
  return <Link aria-label={label} className={classNames(styles.icon, className)} {...rest} />;
}
