import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

/*
 * The icons of public pages. Each icon is only one path, to keep the code small. The account and admin areas
 * use lucide-react, because the size of their code matters less.
 * The icons here are Lucide's too (ISC licence, Lucide Icons and Contributors, https://lucide.dev/license),
 * except for the logos of social networks at the end.
 */

/** A decorative icon. The text next to it, or the accessible name of its button, says what it means. */
export function Icon({ className, ...rest }: ComponentProps<'svg'>) {
  return (
    <svg
      className={classNames('icon', className)}
      viewBox="0 0 24 24"
      aria-hidden="true"
      focusable="false"
      {...rest}
    />
  );
}

/** Creates an icon component from one path. */
export const icon = (path: string) => (props: { className?: string | undefined }) => (
  <Icon {...props}>
    <path d={path} />
  </Icon>
);

export const Accessibility = icon(
  'M15 4a1 1 0 1 0 2 0a1 1 0 1 0-2 0M18 19l1-7-6 1M5 8l3-3 5.5 3-2.36 3.5M4.24 14.5a5 5 0 0 0 6.88 6M13.76 17.5a5 5 0 0 0-6.88-6',
);
export const Check = icon('M20 6 9 17l-5-5');
export const ChevronDown = icon('M6 9l6 6 6-6');
export const Menu = icon('M4 5h16M4 12h16M4 19h16');
export const X = icon('M18 6 6 18M6 6l12 12');

export const WhatsApp = icon(
  'M3.2 20.8l1.4-4.7a8.8 8.8 0 1 1 3.3 3.3zM9 7.7c-.9.6-1.2 1.7-.7 3a9.2 9.2 0 0 0 5 5c1.3.5 2.4.2 3-.7l.3-1.2-2.3-1.2-1 1a5.6 5.6 0 0 1-2.9-2.9l1-1-1.2-2.3z',
);
export const Instagram = icon(
  'M7.5 3h9A4.5 4.5 0 0 1 21 7.5v9a4.5 4.5 0 0 1-4.5 4.5h-9A4.5 4.5 0 0 1 3 16.5v-9A4.5 4.5 0 0 1 7.5 3zM8 12a4 4 0 1 0 8 0a4 4 0 1 0-8 0M17 7v.1',
);
export const YouTube = icon(
  'M5.5 5.2h13A3.5 3.5 0 0 1 22 8.7v6.6a3.5 3.5 0 0 1-3.5 3.5h-13A3.5 3.5 0 0 1 2 15.3V8.7a3.5 3.5 0 0 1 3.5-3.5zM10 8.8v6.4l5.4-3.2z',
);
export const LinkedIn = icon(
  'M6.4 3h11.2A3.4 3.4 0 0 1 21 6.4v11.2a3.4 3.4 0 0 1-3.4 3.4H6.4A3.4 3.4 0 0 1 3 17.6V6.4A3.4 3.4 0 0 1 6.4 3zM7.8 10.8v6M7.8 7.3v.1M11.6 16.8v-6M11.6 13.2c.3-1.6 1.4-2.4 2.6-2.4 1.4 0 2.2 1 2.2 2.6v3.4',
);
