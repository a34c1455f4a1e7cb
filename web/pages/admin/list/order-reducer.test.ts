import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReadList } from '#client/library.ts';
import { activity as activitySchema } from '#contract/activity.ts';
import {
  changeOf,
  type Order,
  type OrderAction,
  orderReducer,
  presentIn,
  startOrder,
} from './order-reducer.ts';

const times = { createdAt: 1, updatedAt: 1 };
const activity = (id: string) =>
  activitySchema.parse({ id, axis: 'mind', title: id, url: 'https://exemplo.com.br', content: id, ...times });
/** A list from the server. `read('abc')` has the activities a, b and c. */
const read = (ids: string): ReadList => ({ activities: [...ids].map(activity), tag: ids });

const still = startOrder(read('abc'));
const after = (order: Order, ...actions: OrderAction[]) => actions.reduce(orderReducer, order);
const cToStart: OrderAction = { type: 'move', move: { id: 'c', beside: 'a', side: 'before' } };
const bToEnd: OrderAction = { type: 'move', move: { id: 'b', beside: 'c', side: 'after' } };
const saving = after(still, cToStart);
const withoutB = after(still, { type: 'delete', id: 'b' });
const savingWithoutB = after(withoutB, cToStart);

/** The parts of an order that the test cases compare. */
const summary = (order: Order) => ({
  present: presentIn(order)
    .map(({ id }) => id)
    .join(''),
  /** The order that the server has, as the next save says. */
  from: changeOf(order).from.join(''),
  status: order.save.status,
});

const table: [
  name: string,
  order: Order,
  action: OrderAction,
  expected: Partial<ReturnType<typeof summary>>,
][] = [
  ['a move starts a save', still, cToStart, { present: 'cab', status: 'saving' }],
  [
    'a move to the same place changes nothing',
    still,
    { type: 'move', move: { id: 'b', beside: 'a', side: 'after' } },
    { status: 'still' },
  ],
  [
    'a saved order becomes the base',
    saving,
    { type: 'saved', sent: saving },
    {
      present: 'cab',
      from: 'cab',
      status: 'saved',
    },
  ],
  [
    'a move during a save stays, and the save continues',
    after(saving, bToEnd),
    { type: 'saved', sent: saving },
    { present: 'cba', from: 'cab', status: 'saving' },
  ],
  [
    'a deletion during a save counts for the next save',
    after(saving, { type: 'delete', id: 'b' }),
    { type: 'saved', sent: saving },
    { present: 'ca', from: 'ca', status: 'saved' },
  ],
  [
    'a save after a deletion becomes the base',
    savingWithoutB,
    { type: 'saved', sent: savingWithoutB },
    { present: 'ca', from: 'ca', status: 'saved' },
  ],
  [
    "another user's version replaces the order",
    saving,
    { type: 'overtaken', read: read('bcad') },
    { present: 'bcad', from: 'bcad', status: 'overtaken' },
  ],
  [
    'a failed save returns to the base',
    saving,
    { type: 'failed', message: 'Sem conexão.' },
    { present: 'abc', from: 'abc', status: 'failed' },
  ],
  ['a deleted activity is hidden', still, { type: 'delete', id: 'b' }, { present: 'ac', from: 'ac' }],
  [
    'a restored activity returns to its place',
    withoutB,
    { type: 'restore', id: 'b' },
    { present: 'abc', from: 'abc' },
  ],
  [
    'an adopted list keeps deletions',
    withoutB,
    { type: 'adopt', read: read('abc') },
    { present: 'ac', from: 'ac' },
  ],
  [
    'an adopted list does not replace an order that is being saved',
    saving,
    { type: 'adopt', read: read('abc') },
    { present: 'cab', from: 'abc' },
  ],
  [
    'a newly loaded list replaces the order and forgets deletions',
    withoutB,
    { type: 'load', read: read('bac') },
    { present: 'bac', from: 'bac' },
  ],
  [
    'a newly loaded list does not replace an order that is being saved',
    saving,
    { type: 'load', read: read('bac') },
    { present: 'cab', from: 'abc', status: 'saving' },
  ],
];

for (const [name, order, action, expected] of table) {
  test(name, () => {
    const result = summary(orderReducer(order, action));
    assert.deepEqual({ ...result, ...expected }, result);
  });
}

test('an activity that is restored after the texts have loaded is in its place for the next save', () => {
  const restored = after(withoutB, { type: 'adopt', read: read('ac') }, { type: 'restore', id: 'b' });
  assert.deepEqual(changeOf(restored), { from: ['a', 'b', 'c'], to: ['a', 'b', 'c'] });
});

test('the names of the editors stay while the list has no newer version of their activities', () => {
  const named = read('abc');
  const summaries = { ...named, activities: named.activities.map((one) => ({ ...one, editor: 'Helena' })) };
  const newer = read('abc');
  const [, b] = newer.activities;
  if (b) b.updatedAt = 2;
  const editors = presentIn(after(startOrder(summaries), { type: 'adopt', read: newer })).map(
    (one) => one.editor,
  );
  assert.deepEqual(editors, ['Helena', undefined, 'Helena']);
});
