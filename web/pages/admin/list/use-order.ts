import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { ClientError } from '#client/client-error.ts';
import type { ReadList, ReadSummaries } from '#client/documents.ts';
import type { Activity, ListedActivity } from '#contract/activity.ts';
import { listOf, type MainAxis } from '#contract/axes.ts';
import { errorMessages } from '#contract/errors.ts';
import { useServices } from '#web/app/services-context.ts';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { keeping, type Move, moved, sameOrder } from './rows.ts';

/** What became of the last change of the order. */
export type OrderState =
  | { status: 'still' | 'saving' | 'saved' }
  | { status: 'failed'; message: string }
  | { status: 'overtaken' };

const none: ReadonlySet<string> = new Set();

/**
 * The list as it is known here, and its order, which is saved as a whole: `If-Match` names the version that the
 * person saw, so nobody's change is written over.
 * @param given the list as the loader read it; a newer one replaces what is here
 */
export function useOrder(axis: MainAxis, given: ReadSummaries) {
  const { client } = useServices();
  const { withSession, signInAgain } = useSignInAgain();
  const list = listOf(axis);
  /** `deleted` keep their places in `activities`, for whoever takes the deletion back. */
  const [shown, setShown] = useState({ given, activities: given.activities, deleted: none });
  const [state, setState] = useState<OrderState>({ status: 'still' });
  /** What the server said last. */
  const base = useRef(given);
  /** Deletions of our own have raised the version since. */
  const behind = useRef(false);
  /** The order to be saved; another move may change it while one is on its way. */
  const wanted = useRef(given.activities);
  const saving = useRef(false);

  if (shown.given !== given) setShown({ given, activities: given.activities, deleted: none });
  const know = useCallback((read: ReadSummaries) => {
    base.current = read;
    behind.current = false;
    wanted.current = read.activities;
  }, []);
  useLayoutEffect(() => know(given), [given, know]);

  const present = shown.activities.filter(({ id }) => !shown.deleted.has(id));

  function move(step: Move) {
    const next = moved(present, step);
    if (next === present) return;
    wanted.current = next;
    setShown({ ...shown, activities: next });
    if (!saving.current) void save();
  }

  async function save() {
    saving.current = true;
    setState({ status: 'saving' });
    try {
      let sent: ListedActivity[];
      do {
        sent = wanted.current;
        const answer = await withSession(() => write(sent));
        base.current = answer;
        behind.current = false;
      } while (wanted.current !== sent);
      show(base.current);
      setState({ status: 'saved' });
    } catch (error) {
      setState(await explain(error));
    } finally {
      saving.current = false;
    }
  }

  async function write(next: ListedActivity[]): Promise<ReadList> {
    if (!behind.current && next.every(isWhole))
      return client.documents.replaceActivities(list, next, base.current.tag);
    const fresh = await client.documents.getActivitiesInParts(list);
    if (!behind.current && fresh.tag !== base.current.tag) throw new Overtaken();
    // Only our own deletions may have come between; then the order is still one of what the person saw.
    const left = new Map(fresh.activities.map((one) => [one.id, one]));
    const before = base.current.activities.filter(({ id }) => left.has(id));
    if (!sameOrder(fresh.activities, before) || next.length !== left.size) throw new Overtaken();
    const ordered = next.flatMap(({ id }) => left.get(id) ?? []);
    return client.documents.replaceActivities(list, ordered, fresh.tag);
  }

  /** Goes back to what the server has, and says why. */
  async function explain(error: unknown): Promise<OrderState> {
    try {
      if (!isOvertaken(error)) throw error;
      show(await client.documents.getActivitiesInParts(list));
      return { status: 'overtaken' };
    } catch (failure) {
      show(base.current);
      if (failure instanceof ClientError) return { status: 'failed', message: failure.message };
      console.error(failure);
      return { status: 'failed', message: errorMessages.unexpected };
    }
  }

  function show(read: ReadSummaries) {
    // What was read just now is not behind; what was known before may be.
    const stillBehind = behind.current && read === base.current;
    know(read);
    behind.current = stillBehind;
    setShown((before) => ({
      ...before,
      activities: keeping(before.deleted, before.activities, read.activities),
    }));
  }

  /** Takes an activity out of view that the server has deleted, or back into it. */
  function setPresent(id: string, isPresent: boolean) {
    behind.current = true;
    setShown((before) => {
      const deleted = new Set(before.deleted);
      if (isPresent) deleted.delete(id);
      else deleted.add(id);
      return { ...before, deleted };
    });
  }

  /** Takes over a newer or fuller reading of the list; not while an order is on its way. */
  function adopt(read: ReadList) {
    if (saving.current) return;
    // It may have been read before the last deletion.
    const mayBeBehind = behind.current;
    show(read);
    behind.current = mayBeBehind;
  }

  return { present, state, move, setPresent, adopt, signInAgain };
}

const isWhole = (activity: ListedActivity): activity is Activity => activity.content !== undefined;

/** Somebody else changed the list since it was read. */
class Overtaken extends Error {
  override name = 'Overtaken';
}

const isOvertaken = (error: unknown) =>
  error instanceof Overtaken ||
  (error instanceof ClientError && error.code === 'documents/precondition-failed');
