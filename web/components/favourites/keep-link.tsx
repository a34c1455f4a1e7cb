import type { ActivitySummary } from '#contract/activity.ts';
import { ButtonLink } from '../button.tsx';
import { classNames } from '../class-names.ts';
import { icon } from '../icons.tsx';
import styles from './keep-link.module.css';
import { registerFor } from './wanted-path.ts';

/* Lucide's icon, see web/components/icons.tsx. */
export const Bookmark = icon('m19 21-7-4-7 4V5a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2z');

export type FavouriteSlotProps = {
  practice: ActivitySummary;
  /** Shows only the icon. */
  compact?: boolean;
  className?: string | undefined;
};

/** A visitor's link to the sign-up, which keeps the practice afterwards. */
export const KeepLink = ({ practice, compact, className }: FavouriteSlotProps) => (
  <ButtonLink
    to={registerFor(practice.id)}
    rel="nofollow"
    variant="quiet"
    size="small"
    className={classNames(compact && styles.compact, className)}
    aria-label={`Guardar: ${practice.title}`}
  >
    <Bookmark />
    {!compact && <span>Guardar</span>}
  </ButtonLink>
);
