import { imageWidths } from '#contract/image-widths.ts';
import styles from './avatar.module.css';
import { initialsOf } from './person-name.ts';

/**
 * Shows a user's photo if it is on this site, and otherwise the user's initials. It loads no photo from
 * another site, because the request would tell that site who visits this page.
 */
export function Avatar({
  name,
  photo,
  alt = '',
  size = 'small',
}: {
  name: string;
  /** The URL of the photo; `false` when there is none. */
  photo: string | false;
  alt?: string;
  size?: 'small' | 'large';
}) {
  if (photo === false || !photo.startsWith('/'))
    return (
      <span className={styles.avatar} data-size={size} aria-hidden="true">
        {initialsOf(name)}
      </span>
    );
  const small = photo.startsWith('/files/') ? `${photo}&width=${imageWidths[0]}` : photo;
  return <img className={styles.avatar} data-size={size} src={small} alt={alt} width="96" height="96" />;
}
