import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { ClientError } from '#client/client-error.ts';
import type { ReadList, ReadSummaries } from '#client/documents.ts';
import type { Activity, ListedActivity } from '#contract/activity.ts';
import { listOf, type MainAxis } from '#contract/axes.ts';
import { errorMessages } from '#contract/errors.ts';
import { useServices } from '#web/app/services-context.ts';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { keeping, type Move, moved, sameOrder } from './rows.ts';

/** The result of the last change of the order. */
export type OrderState =
  | { status: 'still' | 'saving' | 'saved' }
  | { status: 'failed'; message: string }
  | { status: 'overtaken' };

const none: ReadonlySet<string> = new Set();

/**
 * Holds the list and saves its order as a whole. `If-Match` names the version that the user saw, so that a
 * save never overwrites another user's change.
 * @param given the list from the loader; a newer one replaces the held one
 */
export function useOrder(axis: MainAxis, given: ReadSummaries) {
  const { client } = useServices();
  const { withSession, signInAgain } = useSignInAgain();
  const list = listOf(axis);
  /** Activities in `deleted` keep their places in `activities`, so that an undo can restore them. */
  const [shown, setShown] = useState({ given, activities: given.activities, deleted: none });
  const [state, setState] = useState<OrderState>({ status: 'still' });
  /** The last version from the server. */
  const base = useRef(given);
  /** This page's deletions have changed the version on the server since `base`. */
  const behind = useRef(false);
  /** The order to save. The user may move another activity while a save is pending. */
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
    // Only this page's deletions may have changed the list; then the user has seen all that the order
    // contains.
    const left = new Map(fresh.activities.map((one) => [one.id, one]));
    const before = base.current.activities.filter(({ id }) => left.has(id));
    if (!sameOrder(fresh.activities, before) || next.length !== left.size) throw new Overtaken();
    const ordered = next.flatMap(({ id }) => left.get(id) ?? []);
    return client.documents.replaceActivities(list, ordered, fresh.tag);
  }

  /** Returns to the server's version, and says why. */
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
    // A version that was just read is not behind; the older `base` may be.
    const stillBehind = behind.current && read === base.current;
    know(read);
    behind.current = stillBehind;
    setShown((before) => ({
      ...before,
      activities: keeping(before.deleted, before.activities, read.activities),
    }));
  }

  /** Hides an activity that the server has deleted, or shows it again. */
  function setPresent(id: string, isPresent: boolean) {
    behind.current = true;
    setShown((before) => {
      const deleted = new Set(before.deleted);
      if (isPresent) deleted.delete(id);
      else deleted.add(id);
      return { ...before, deleted };
    });
  }

  /** Replaces the list with a newer or more complete one, unless a save is pending. */
  function adopt(read: ReadList) {
    if (saving.current) return;
    // The list may have been read before the last deletion.
    const mayBeBehind = behind.current;
    show(read);
    behind.current = mayBeBehind;
  }

  return { present, state, move, setPresent, adopt, signInAgain };
}

const isWhole = (activity: ListedActivity): activity is Activity => activity.content !== undefined;

/** Another user changed the list after this page read it. */
class Overtaken extends Error {
  override name = 'Overtaken';
}

const isOvertaken = (error: unknown) =>
  error instanceof Overtaken ||
  (error instanceof ClientError && error.code === 'documents/precondition-failed');
