import type { ReadSummaries } from '#client/library.ts';
import type { ActivityOrder, ListedActivity } from '#contract/activity.ts';
import { type Move, moved } from '../components/ordering/move.ts';
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
  /** In the server's order, as far as this page knows. It can contain deleted activities, too. */
  base: ListedActivity[];
  save: SaveState;
};

export type OrderAction =
  /** The loader has read the list. */
  | { type: 'load'; read: ReadSummaries }
  /** The page has read the list with its texts. */
  | { type: 'adopt'; read: ReadSummaries }
  | { type: 'move'; move: Move }
  /** `sent` is the order with which the save began. */
  | { type: 'saved'; sent: Order }
  /** Another user has changed the list; `read` is the new version. */
  | { type: 'overtaken'; read: ReadSummaries }
  | { type: 'failed'; message: string }
  | { type: 'delete' | 'restore'; id: string };

/** The order of a list that was just loaded. */
export const startOrder = (read: ReadSummaries): Order => ({
  activities: read.activities,
  deleted: new Set(),
  base: read.activities,
  save: { status: 'still' },
});

/** The activities that the page shows. */
export const presentIn = ({ activities, deleted }: Order) => activities.filter(({ id }) => !deleted.has(id));

/** What a save of the order sends. The server knows nothing of the activities that this page has deleted. */
export const changeOf = (order: Order): ActivityOrder => ({
  from: order.base.flatMap(({ id }) => (order.deleted.has(id) ? [] : [id])),
  to: presentIn(order).map(({ id }) => id),
});

/** Computes the next order. It has no side effects: `useOrder` sends the order to the server. */
export function orderReducer(order: Order, action: OrderAction): Order {
  switch (action.type) {
    // Ignore a loaded list during a save, because it can have the order before the save.
    case 'load':
      if (order.save.status === 'saving' || action.read.activities === order.base) return order;
      return { ...startOrder(action.read), save: order.save };
    case 'adopt':
      if (order.save.status === 'saving') return order;
      return based(order, action.read);
    case 'move': {
      const present = presentIn(order);
      const activities = moved(present, action.move);
      return activities === present ? order : { ...order, activities, save: { status: 'saving' } };
    }
    case 'saved': {
      const base = action.sent.activities;
      // If the user has moved another activity meanwhile, keep the status `saving`.
      return order.activities === base ? { ...order, base, save: { status: 'saved' } } : { ...order, base };
    }
    case 'overtaken':
      return { ...based(order, action.read), save: { status: 'overtaken' } };
    case 'failed':
      return { ...order, activities: order.base, save: { status: 'failed', message: action.message } };
    case 'delete':
      return { ...order, deleted: new Set(order.deleted).add(action.id) };
    case 'restore': {
      const deleted = new Set(order.deleted);
      deleted.delete(action.id);
      return { ...order, deleted };
    }
  }
}

/**
 * Replaces the user's order with the order of the server's list `read`. Deleted activities keep their places,
 * so that undo can use them.
 */
function based(order: Order, read: ReadSummaries): Order {
  const activities = keeping(order.deleted, order.activities, withEditors(order.activities, read.activities));
  return { ...order, activities, base: activities };
}

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
