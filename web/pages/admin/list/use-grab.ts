import { type KeyboardEvent, useState } from 'react';
import type { ListedActivity } from '#contract/activity.ts';
import type { MainAxis } from '#contract/axes.ts';
import { type Move, moved } from '../components/ordering/move.ts';
import { type Row, rowsOf, stepsAway } from './rows.ts';

const stepsOfKey: Record<string, number> = {
  ArrowUp: -1,
  ArrowDown: 1,
  PageUp: -10,
  PageDown: 10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** The activity that is being moved, and the list as it would be after a drop. */
type Grab = { id: string; title: string; activities: ListedActivity[]; last: Move | undefined };

/**
 * Moves an activity step by step, without dragging. A click on its handle picks it up, keys or buttons
 * move it, and a second click on the handle drops it. The order is saved only after the drop.
 */
export function useGrab(axis: MainAxis, activities: ListedActivity[], onDrop: (move: Move) => void) {
  const [grab, setGrab] = useState<Grab>();
  /** The announcement for screen readers. */
  const [announcement, setAnnouncement] = useState('');

  function start({ id, title }: ListedActivity) {
    const grabbed = { id, title, activities, last: undefined };
    setGrab(grabbed);
    setAnnouncement(`${title}: ${placeSentence(axis, grabbed)}. Setas movem, Enter solta, Esc cancela.`);
  }

  function step(steps: number) {
    if (!grab) return;
    const move = stepsAway(rowsOf(axis, grab.activities), grab.id, steps);
    if (!move) return;
    const next = { ...grab, activities: moved(grab.activities, move), last: move };
    setGrab(next);
    setAnnouncement(placeSentence(axis, next));
  }

  function drop() {
    if (!grab) return;
    setGrab(undefined);
    setAnnouncement(`${grab.title} ficou na ${placeSentence(axis, grab)}.`);
    if (grab.last) onDrop(grab.last);
  }

  function cancel() {
    if (!grab) return;
    setGrab(undefined);
    setAnnouncement(`${grab.title} voltou ao seu lugar.`);
  }

  return {
    grab,
    announcement,
    start,
    step,
    drop,
    cancel,
    /** @returns whether the key was handled */
    onKeyDown(event: KeyboardEvent): boolean {
      const steps = stepsOfKey[event.key];
      if (!grab || (steps === undefined && event.key !== 'Escape')) return false;
      event.preventDefault();
      if (steps === undefined) cancel();
      else step(steps);
      return true;
    },
  };
}

function placeSentence(axis: MainAxis, { id, activities }: Pick<Grab, 'id' | 'activities'>): string {
  const row: Row | undefined = rowsOf(axis, activities).find(({ key }) => key === id);
  return row?.kind === 'card' ? `posição ${row.place} de ${row.of}` : '';
}
