import { type RefObject, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import type { ReadSummaries } from '#client/library.ts';
import type { ListedActivity } from '#contract/activity.ts';
import type { MainAxis } from '#contract/axes.ts';
import { Link } from '#web/components/link.tsx';
import { Notice } from '#web/components/notice.tsx';
import { wholeNumber } from '#web/components/whole-number.ts';
import { ActivityCard } from '../components/activity/activity-card.tsx';
import { ActivityReader, DeleteActivity } from '../components/activity/activity-dialogs.tsx';
import { newActivityPath, savedIn } from '../components/activity/activity-paths.ts';
import { useDrag } from '../components/ordering/use-drag.ts';
import { EmptyState } from '../components/page-parts.tsx';
import styles from './activity-list.module.css';
import type { SaveState } from './order-reducer.ts';

import { rowsOf } from './rows.ts';
import { Trash } from './trash.tsx';
import { useContents } from './use-contents.ts';
import { useDeletion } from './use-deletion.tsx';
import { useGrab } from './use-grab.ts';
import { useOrder } from './use-order.ts';
import { useSearch } from './use-search.ts';
import { VirtualRows, type VirtualRowsHandle } from './virtual-rows.tsx';

/** The cards of a list: the user can read, edit, delete and reorder them. */
export function ActivityList({
  axis,
  list,
  search,
  onEmptied,
}: {
  axis: MainAxis;
  list: ReadSummaries;
  search: string;
  /** Called when no card can take the focus, for example after the only card is deleted. */
  onEmptied: () => void;
}) {
  const order = useOrder(axis, list);
  const contents = useContents(axis, {
    activities: order.present,
    wanted: search.trim() !== '',
    onRead: order.adopt,
  });
  const found = useSearch(order.present, search);
  const [reading, setReading] = useState<ListedActivity>();
  const [deleting, setDeleting] = useState<ListedActivity>();

  const box = useRef<HTMLDivElement>(null);
  const lines = useRef<VirtualRowsHandle>(null);
  const grabbing = useGrab(axis, order.present, order.move);
  const dragging = useDrag(box, order.move);
  const { grab } = grabbing;
  const { drag } = dragging;

  // Search results cannot be reordered.
  const orderable = search.trim() === '' && order.present.length > 1;
  const rows = rowsOf(axis, grab && orderable ? grab.activities : found);

  const focusCard = useCardFocus(box, lines, onEmptied);
  // If the user comes from a form that has saved an activity, focus this activity.
  const { state } = useLocation();
  useEffect(() => {
    const saved = savedIn(state);
    if (saved) focusCard({ key: saved, part: 'title' });
  }, [state, focusCard]);
  const { offerUndo, withdraw } = useDeletion((activity) => {
    order.setPresent(activity.id, true);
    focusCard({ key: activity.id, part: 'title' });
  });

  function showDeleted(activity: ListedActivity, byKeyboard: boolean) {
    const index = rows.findIndex(({ key }) => key === activity.id);
    const next = rows.slice(index + 1).find(({ kind }) => kind === 'card');
    const previous = rows
      .slice(0, index)
      .reverse()
      .find(({ kind }) => kind === 'card');
    setDeleting(undefined);
    order.setPresent(activity.id, false);
    offerUndo(activity, byKeyboard);
    // After a deletion by keyboard, the toast takes the focus.
    if (!byKeyboard) focusCard({ key: (next ?? previous)?.key, part: 'title' });
  }

  function step(steps: number) {
    grabbing.step(steps);
    focusCard({ key: grab?.id, part: 'handle' });
  }

  return (
    <>
      <div className={styles.state}>
        <p className={styles.count} role="status">
          <span>{countSentence(found.length, order.present.length)}</span>
          {contents.waiting && <span>. Procurando também nos textos…</span>}
          {contents.failed && <span>. Só nos títulos: os textos não puderam ser lidos.</span>}
        </p>
        <OrderNotice state={order.state} />
        <Trash
          axis={axis}
          onRestored={({ id }) => {
            withdraw(id);
            order.setPresent(id, true);
          }}
        />
      </div>
      <p className="visually-hidden" aria-live="assertive">
        {grabbing.announcement}
      </p>
      {order.present.length === 0 && (
        <EmptyState>
          Nenhuma prática ainda. <Link to={newActivityPath(axis)}>Crie a primeira.</Link>
        </EmptyState>
      )}
      {order.present.length > 0 && found.length === 0 && !contents.waiting && (
        <EmptyState>Nenhuma prática tem essas palavras nesta lista.</EmptyState>
      )}
      <VirtualRows rows={rows} box={box} handle={lines}>
        {({ activity, key, place, of }) => (
          <ActivityCard
            activity={activity}
            heading={axis === 'values' ? 'h3' : 'h2'}
            onRead={() => setReading(activity)}
            onDelete={() => setDeleting(activity)}
            dropSide={drag?.drop?.beside === key ? drag.drop.side : undefined}
            lifted={drag?.id === key}
            order={
              orderable
                ? {
                    grabbed: grab?.id === key,
                    first: place === 1,
                    last: place === of,
                    onPointerDown: (event) => dragging.start(event, key),
                    onKeyDown: (event) => {
                      if (grabbing.onKeyDown(event)) focusCard({ key, part: 'handle' });
                    },
                    onToggle: () => {
                      if (dragging.wasDrag()) return;
                      if (grab?.id === key) grabbing.drop();
                      else grabbing.start(activity);
                      focusCard({ key, part: 'handle' });
                    },
                    onStep: step,
                    onCancel: () => {
                      grabbing.cancel();
                      focusCard({ key, part: 'handle' });
                    },
                  }
                : undefined
            }
          />
        )}
      </VirtualRows>
      {reading && <ActivityReader activity={reading} onClose={() => setReading(undefined)} />}
      {deleting && (
        <DeleteActivity
          activity={deleting}
          onClose={() => setDeleting(undefined)}
          onDeleted={(byKeyboard) => showDeleted(deleting, byKeyboard)}
        />
      )}
      {order.signInAgain}
    </>
  );
}

type FocusTarget = { key: string | undefined; part: 'title' | 'handle' };

/**
 * Returns a function that scrolls to a card and focuses one of its controls, after the next render. If the
 * card does not exist, it calls `onNone`.
 */
function useCardFocus(
  box: RefObject<HTMLDivElement | null>,
  lines: RefObject<VirtualRowsHandle | null>,
  onNone: () => void,
) {
  const [target, setTarget] = useState<FocusTarget>();
  useEffect(() => {
    if (!target) return;
    if (target.key === undefined || !lines.current?.show(target.key)) {
      onNone();
      return;
    }
    const find = () =>
      box.current?.querySelector<HTMLElement>(`[data-row="${target.key}"] [data-part="${target.part}"]`);
    const present = find();
    if (present) present.focus({ preventScroll: true });
    // A row outside the view is rendered within the next two frames.
    else requestAnimationFrame(() => requestAnimationFrame(() => find()?.focus({ preventScroll: true })));
  }, [target, box, lines, onNone]);
  return setTarget;
}

function countSentence(found: number, all: number) {
  if (all === 0) return '';
  const practices = all === 1 ? '1 prática' : `${wholeNumber(all)} práticas`;
  return found === all ? practices : `${wholeNumber(found)} de ${practices}`;
}

/** Shows the result of the last change of the order. */
function OrderNotice({ state }: { state: SaveState }) {
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
