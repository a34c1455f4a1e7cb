import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { hasCode, messageOf } from '#client/client-error.ts';
import type { ReadSummaries } from '#client/library.ts';
import { listOf, type MainAxis } from '#contract/axes.ts';
import { client } from '#web/app/client.ts';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import type { Move } from '../components/ordering/move.ts';
import { changeOf, type OrderAction, orderReducer, presentIn, startOrder } from './order-reducer.ts';

/**
 * Holds the list, and saves its order when it changes. A save fails if another user has changed the order, or
 * has added or deleted an activity, so that it never overwrites that change.
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
        await withSession(() => client.documents.reorderActivities(list, changeOf(sent)));
        dispatch({ type: 'saved', sent });
      }
    } catch (error) {
      dispatch(await failureOf(error));
    }
  }

  async function failureOf(error: unknown): Promise<OrderAction> {
    if (!hasCode(error, 'documents/precondition-failed'))
      return { type: 'failed', message: messageOf(error) };
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
    adopt: (read: ReadSummaries) => dispatch({ type: 'adopt', read }),
    signInAgain,
  };
}
