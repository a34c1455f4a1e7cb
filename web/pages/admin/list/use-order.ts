import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { hasCode, messageOf } from '#client/client-error.ts';
import type { ReadList, ReadSummaries } from '#client/library.ts';
import { listOf, type MainAxis } from '#contract/axes.ts';
import { client } from '#web/app/client.ts';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { storedActivity } from '../components/activity/activity-paths.ts';
import type { Move } from '../components/ordering/move.ts';
import {
  type Order,
  type OrderAction,
  orderReducer,
  presentIn,
  reordered,
  startOrder,
} from './order-reducer.ts';

/**
 * Holds the list, and saves the whole list when its order changes. A save fails if another user has changed
 * the list since it was read, so that it never overwrites that change.
 * @param given the list from the loader; a new one replaces the held list, unless a save is pending
 */
export function useOrder(axis: MainAxis, given: ReadSummaries) {
  const { withSession, signInAgain } = useSignInAgain();
  const list = listOf(axis);
  const [order, setOrder] = useState(() => startOrder(given));
  // A save needs the latest order after every await, even after the page has unmounted. `useReducer` cannot
  // provide that.
  const latest = useRef(order);
  const dispatch = useCallback((action: OrderAction) => {
    latest.current = orderReducer(latest.current, action);
    setOrder(latest.current);
  }, []);
  useLayoutEffect(() => dispatch({ type: 'load', read: given }), [given, dispatch]);

  function move(step: Move) {
    const wasSaving = latest.current.save.status === 'saving';
    dispatch({ type: 'move', move: step });
    if (!wasSaving) void save();
  }

  /** Saves until no move is left, because the user can move another activity while a save is pending. */
  async function save() {
    try {
      while (latest.current.save.status === 'saving') {
        const sent = latest.current;
        const read = await withSession(() => write(sent));
        dispatch({ type: 'saved', sent, read });
      }
    } catch (error) {
      dispatch(await failureOf(error));
    }
  }

  async function write(sent: Order): Promise<ReadList> {
    const present = presentIn(sent);
    const stored = present.flatMap((one) => storedActivity(one) ?? []);
    if (!sent.behind && stored.length === present.length)
      return client.documents.replaceActivities(list, stored, sent.base.tag);
    const current = await client.documents.getActivitiesInParts(list);
    const activities = reordered(sent, current);
    if (!activities) throw new Overtaken();
    return client.documents.replaceActivities(list, activities, current.tag);
  }

  async function failureOf(error: unknown): Promise<OrderAction> {
    const overtaken = error instanceof Overtaken || hasCode(error, 'documents/precondition-failed');
    if (!overtaken) return { type: 'failed', message: messageOf(error) };
    try {
      return { type: 'overtaken', read: await client.documents.getActivitiesInParts(list) };
    } catch (readError) {
      return { type: 'failed', message: messageOf(readError) };
    }
  }

  return {
    present: useMemo(() => presentIn(order), [order]),
    state: order.save,
    move,
    /** Hides an activity that the server has deleted, or shows it again. */
    setPresent: (id: string, isPresent: boolean) => dispatch({ type: isPresent ? 'restore' : 'delete', id }),
    /** Replaces the list with a newer or more complete one, unless a save is pending. */
    adopt: (read: ReadList) => dispatch({ type: 'adopt', read }),
    signInAgain,
  };
}

/** Thrown when another user has changed the list after this page read it. */
class Overtaken extends Error {
  override name = 'Overtaken';
}
