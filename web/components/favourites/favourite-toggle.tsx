import { useEffect } from 'react';
import type { ActivitySummary } from '#contract/activity.ts';
import { Button } from '../button.tsx';
import { classNames } from '../class-names.ts';
import { icon } from '../icons.tsx';
import { useToast } from '../toast.tsx';
import styles from './favourite-toggle.module.css';
import { useFavourites, useSaving } from './use-favourites.ts';

/* Lucide's icon, see web/components/icons.tsx. */
const Bookmark = icon('m19 21-7-4-7 4V5a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2z');

export type FavouriteToggleProps = {
  practice: ActivitySummary;
  /** Shows only the icon. */
  compact?: boolean;
  className?: string | undefined;
};

/** Removes the last toast about an added favourite. */
let closeToast = () => {};

/**
 * A button that adds a practice to the user's favourites, or removes the practice from them. The button is
 * hidden until the favourites are loaded.
 */
export function FavouriteToggle({
  uid,
  practice,
  compact = false,
  className,
}: FavouriteToggleProps & { uid: string }) {
  const { store, favourites } = useFavourites(uid);
  const succeeds = useSaving();
  const notify = useToast();
  useEffect(() => {
    // Ignore a failure: users can read practices without this button.
    store.loadOnce().catch(() => {});
  }, [store]);
  if (!favourites) return null;
  const kept = favourites.documents.some(({ id }) => id === practice.id);
  const label = kept ? 'Guardada' : 'Guardar';

  async function toggle() {
    closeToast();
    if (kept) {
      await succeeds('Esta prática continua guardada.', store.remove(practice.id));
      return;
    }
    if (!(await succeeds('Esta prática não foi guardada.', store.keep(practice)))) return;
    closeToast();
    closeToast = notify('Guardada. Só você vê a sua lista.', {
      action: { label: 'Minhas práticas', to: '/minhas-praticas' },
    });
  }

  return (
    <Button
      variant="quiet"
      size="small"
      className={classNames(styles.toggle, compact && styles.compact, className)}
      aria-pressed={kept}
      aria-label={`${label}: ${practice.title}`}
      onClick={() => void toggle()}
    >
      <Bookmark />
      {!compact && <span>{label}</span>}
    </Button>
  );
}
