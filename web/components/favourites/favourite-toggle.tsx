import { type ReactNode, useEffect } from 'react';
import { Button } from '../button.tsx';
import { classNames } from '../class-names.ts';
import { useToast } from '../toast.tsx';
import styles from './keep-link.module.css';
import { Bookmark, type FavouriteSlotProps } from './keep-link.tsx';
import { useFavourites, useSaving } from './use-favourites.ts';
import { loginFor } from './wanted-path.ts';

/** Removes the last toast about an added favourite. */
let closeToast = () => {};

/**
 * A button that adds a practice to the user's favourites, or removes the practice from them.
 * @param placeholder shown until the favourites are loaded
 */
export function FavouriteToggle({
  uid,
  practice,
  compact = false,
  className,
  placeholder,
}: FavouriteSlotProps & { uid: string; placeholder: ReactNode }) {
  const { store, favourites } = useFavourites(uid);
  const succeeds = useSaving();
  const notify = useToast();
  useEffect(() => {
    // Ignore a failure: users can read practices without this button.
    store.loadOnce().catch(() => {});
  }, [store]);
  if (!favourites) return placeholder;
  const kept = favourites.documents.some(({ id }) => id === practice.id);
  const label = kept ? 'Guardada' : 'Guardar';

  async function toggle() {
    closeToast();
    if (kept) {
      await succeeds('Esta prática continua guardada.', store.remove(practice.id));
      return;
    }
    if (!(await succeeds('Esta prática não foi guardada.', store.keep(practice), loginFor(practice.id))))
      return;
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
