import type { MouseEvent } from 'react';
import type { Favourite } from '#contract/practices/favourites.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { useFavourites, useSaving } from '#web/components/favourites/use-favourites.ts';
import { DashedMessage } from '#web/components/layout/messages.tsx';
import { useToast } from '#web/components/toast.tsx';
import { PracticeTiles } from '../components/practice-tiles.tsx';
import styles from './favourite-list.module.css';

/** Shows a user's favourites, and the number of favourites that are not public now. */
export function FavouriteList({ uid }: { uid: string }) {
  const { store, favourites } = useFavourites(uid);
  const succeeds = useSaving();
  const notify = useToast();
  if (!favourites) return null;
  const { documents, missing } = favourites;

  async function remove(favourite: Favourite, { detail, currentTarget }: MouseEvent<HTMLButtonElement>) {
    const byKeyboard = detail === 0;
    // The focused button disappears, so the focus moves to the main content.
    currentTarget.closest('main')?.focus();
    if (!(await succeeds('Esta prática continua guardada.', store.remove(favourite.id)))) return;
    const undo = () =>
      void succeeds('Esta prática não voltou para a lista.', store.keep(favourite, favourite.keptAt));
    notify(`Você tirou “${favourite.title}” da lista.`, {
      action: { label: 'Desfazer', run: undo },
      focus: byKeyboard,
    });
  }

  async function removeMissing({ currentTarget }: MouseEvent<HTMLButtonElement>) {
    currentTarget.closest('main')?.focus();
    const removed = Promise.all(missing.map((id) => store.remove(id)));
    await succeeds(
      'Nada saiu da lista.',
      removed.then(() => {}),
    );
  }

  return (
    <div className={styles.favourites}>
      {missing.length > 0 && (
        <div className={styles.missing}>
          <p>
            {missing.length === 1
              ? 'Uma prática que você guardou saiu da biblioteca. Se ela voltar, aparece aqui de novo.'
              : `${missing.length} práticas que você guardou saíram da biblioteca. Se voltarem, aparecem aqui de novo.`}
          </p>
          <Button variant="quiet" size="small" onClick={(event) => void removeMissing(event)}>
            Tirar da lista
          </Button>
        </div>
      )}
      {documents.length === 0 ? (
        <DashedMessage headline="Nenhuma prática guardada por aqui.">
          <p>Quando quiser ter uma prática por perto, toque em Guardar na página dela.</p>
          <ButtonLink to="/practices">Ver as práticas</ButtonLink>
        </DashedMessage>
      ) : (
        <PracticeTiles
          practices={documents}
          remove={{ label: 'Tirar da lista', run: (favourite, event) => void remove(favourite, event) }}
        />
      )}
    </div>
  );
}
