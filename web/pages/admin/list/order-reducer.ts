import type { ReadList, ReadSummaries } from '#client/library.ts';
import type { Activity, ListedActivity } from '#contract/activity.ts';
import { type Move, moved, sameOrder } from '../components/ordering/move.ts';
import { keeping } from './rows.ts';

/** The state of saving the last change of the order. */
export type SaveState =
  | { status: 'still' | 'saving' | 'saved' | 'overtaken' }
  | { status: 'failed'; message: string };

export type Order = {
  /** In the user's order. Deleted activities keep their positions for undo, until the next move. */
  activities: ListedActivity[];
  /** The ids of the activities that the user has deleted on this page. */
  deleted: ReadonlySet<string>;
  /** The version of the list on which this order is based. */
  base: ReadSummaries;
  /** True if this page has deleted or restored an activity since `base`, so the server's list is newer. */
  behind: boolean;
  save: SaveState;
};

export type OrderAction =
  /** The loader has read the list. */
  | { type: 'load'; read: ReadSummaries }
  /** The page has read the list with its texts. */
  | { type: 'adopt'; read: ReadSummaries }
  | { type: 'move'; move: Move }
  /** `sent` is the order with which the save began. */
  | { type: 'saved'; sent: Order; read: ReadSummaries }
  /** Another user has changed the list; `read` is the new version. */
  | { type: 'overtaken'; read: ReadSummaries }
  | { type: 'failed'; message: string }
  | { type: 'delete' | 'restore'; id: string };

/** The order of a list that was just loaded. */
export const startOrder = (read: ReadSummaries): Order => ({
  activities: read.activities,
  deleted: new Set(),
  base: read,
  behind: false,
  save: { status: 'still' },
});

/** The activities that the page shows. */
export const presentIn = ({ activities, deleted }: Order) => activities.filter(({ id }) => !deleted.has(id));

/** Computes the next order. It has no side effects: `useOrder` sends the order to the server. */
export function orderReducer(order: Order, action: OrderAction): Order {
  switch (action.type) {
    // Ignore a loaded list during a save, because the response to the save will contain a newer list.
    case 'load':
      if (order.save.status === 'saving' || action.read === order.base) return order;
      return { ...startOrder(action.read), save: order.save };
    case 'adopt':
      if (order.save.status === 'saving') return order;
      // Keep `behind`, because the server may have read this list before the last deletion.
      return based(order, action.read);
    case 'move': {
      const present = presentIn(order);
      const activities = moved(present, action.move);
      return activities === present ? order : { ...order, activities, save: { status: 'saving' } };
    }
    case 'saved': {
      const behind = order.deleted !== action.sent.deleted;
      // If the user has moved another activity meanwhile, keep the status `saving`.
      if (order.activities !== action.sent.activities) return { ...order, base: action.read, behind };
      return { ...based(order, action.read), behind, save: { status: 'saved' } };
    }
    case 'overtaken':
      return { ...based(order, action.read), behind: false, save: { status: 'overtaken' } };
    case 'failed':
      return { ...based(order, order.base), save: { status: 'failed', message: action.message } };
    case 'delete':
      return { ...order, deleted: new Set(order.deleted).add(action.id), behind: true };
    case 'restore': {
      const deleted = new Set(order.deleted);
      deleted.delete(action.id);
      return { ...order, deleted, behind: true };
    }
  }
}

/**
 * Replaces the user's order with the order of the server's list `read`. Deleted activities keep their places,
 * so that undo can use them.
 */
const based = (order: Order, read: ReadSummaries): Order => ({
  ...order,
  activities: keeping(order.deleted, order.activities, withEditors(order.activities, read.activities)),
  base: read,
});

/**
 * Returns the activities of `read`. An activity without its editor's name gets the name from `known`, unless
 * the activity was saved in between.
 */
function withEditors(known: readonly ListedActivity[], read: ListedActivity[]): ListedActivity[] {
  const before = new Map(known.map((one) => [one.id, one]));
  return read.map((one) => {
    const { editor, updatedAt } = before.get(one.id) ?? {};
    return editor === undefined || updatedAt !== one.updatedAt ? one : { editor, ...one };
  });
}

/**
 * Returns the activities of the server's current list in the user's order, or `undefined` when another user
 * has changed the list.
 */
export function reordered(order: Order, current: ReadList): Activity[] | undefined {
  if (!order.behind && current.tag !== order.base.tag) return undefined;
  // If `behind`, the server's list may differ from `base` only by this page's deletions and restorations.
  const left = new Map(current.activities.map((one) => [one.id, one]));
  const before = order.base.activities.filter(({ id }) => left.has(id));
  const present = presentIn(order);
  if (!sameOrder(current.activities, before) || present.length !== left.size) return undefined;
  return present.flatMap(({ id }) => left.get(id) ?? []);
}
