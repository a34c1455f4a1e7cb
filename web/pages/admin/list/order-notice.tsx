import { Notice } from '#web/components/notice.tsx';
import styles from './activity-list.module.css';
import type { SaveState } from './order-reducer.ts';

/** Shows the result of the last change of the order. */
export function OrderNotice({ state }: { state: SaveState }) {
  if (state.status === 'failed') {
    return (
      <p className={styles.failure} role="alert">
        {`A ordem não foi salva. ${state.message}`}
      </p>
    );
  }
  if (state.status === 'overtaken') {
    return (
      <Notice>
        Alguém mudou esta lista antes de você, e a sua ordem não foi salva. Esta é a lista de agora: se ainda
        quiser, mova de novo.
      </Notice>
    );
  }
  return (
    <p className={styles.saved} role="status">
      {state.status === 'saving' ? 'Salvando a ordem…' : state.status === 'saved' && 'Ordem salva.'}
    </p>
  );
}
