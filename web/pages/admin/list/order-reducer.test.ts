import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReadList } from '#client/library.ts';
import { type Activity, activity as activitySchema } from '#contract/activity.ts';
import {
  type Order,
  type OrderAction,
  orderReducer,
  presentIn,
  reordered,
  startOrder,
} from './order-reducer.ts';

const times = { createdAt: 1, updatedAt: 1 };
const activity = (id: string) =>
  activitySchema.parse({ id, axis: 'mind', title: id, url: 'https://exemplo.com.br', content: id, ...times });
/** A list from the server. `read('abc')` has the activities a, b and c, and the tag `abc`. */
const read = (ids: string, tag = ids): ReadList => ({ activities: [...ids].map(activity), tag });

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
  base: order.base.tag,
  behind: order.behind,
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
    { type: 'saved', sent: saving, read: read('cab') },
    {
      present: 'cab',
      base: 'cab',
      status: 'saved',
    },
  ],
  [
    'a move during a save stays, and the save continues',
    after(saving, bToEnd),
    { type: 'saved', sent: saving, read: read('cab') },
    { present: 'cba', base: 'cab', status: 'saving' },
  ],
  [
    'after a deletion during a save, the base is older than the version on the server',
    after(saving, { type: 'delete', id: 'b' }),
    { type: 'saved', sent: saving, read: read('cab') },
    { present: 'ca', base: 'cab', behind: true, status: 'saved' },
  ],
  [
    'after a deletion, the next save makes the base the version on the server again',
    savingWithoutB,
    { type: 'saved', sent: savingWithoutB, read: read('ca') },
    { present: 'ca', base: 'ca', behind: false, status: 'saved' },
  ],
  [
    "another user's version replaces the order",
    saving,
    { type: 'overtaken', read: read('bcad') },
    { present: 'bcad', base: 'bcad', behind: false, status: 'overtaken' },
  ],
  [
    'a failed save returns to the base',
    saving,
    { type: 'failed', message: 'Sem conexão.' },
    { present: 'abc', base: 'abc', status: 'failed' },
  ],
  ['a deleted activity is hidden', still, { type: 'delete', id: 'b' }, { present: 'ac', behind: true }],
  [
    'a restored activity returns to its place',
    withoutB,
    { type: 'restore', id: 'b' },
    { present: 'abc', behind: true },
  ],
  [
    'an adopted list keeps deletions',
    withoutB,
    { type: 'adopt', read: read('abc', 'whole') },
    { present: 'ac', base: 'whole', behind: true },
  ],
  [
    'an adopted list does not replace an order that is being saved',
    saving,
    { type: 'adopt', read: read('abc', 'whole') },
    { present: 'cab', base: 'abc' },
  ],
  [
    'a newly loaded list replaces the order and forgets deletions',
    withoutB,
    { type: 'load', read: read('bac') },
    { present: 'bac', base: 'bac', behind: false },
  ],
  [
    'a newly loaded list does not replace an order that is being saved',
    saving,
    { type: 'load', read: read('bac') },
    { present: 'cab', base: 'abc', status: 'saving' },
  ],
];

for (const [name, order, action, expected] of table) {
  test(name, () => {
    const result = summary(orderReducer(order, action));
    assert.deepEqual({ ...result, ...expected }, result);
  });
}

test('the order applies to the current list, also after deletions on this page', () => {
  const ids = (activities: Activity[] | undefined) => activities?.map(({ id }) => id).join('');
  assert.equal(ids(reordered(saving, read('abc'))), 'cab');
  assert.equal(ids(reordered(savingWithoutB, read('ac'))), 'ca');
});

test('the order does not apply when another user has changed the list', () => {
  assert.equal(reordered(saving, read('abc', 'edited')), undefined);
  assert.equal(reordered(savingWithoutB, read('ca')), undefined, 'moved');
  assert.equal(reordered(savingWithoutB, read('acd')), undefined, 'added');
  assert.equal(reordered(savingWithoutB, read('a')), undefined, 'deleted');
});

test('the names of the editors stay while the list has no newer version of their activities', () => {
  const named = read('abc');
  const summaries = { ...named, activities: named.activities.map((one) => ({ ...one, editor: 'Helena' })) };
  const newer = read('abc', 'newer');
  const [, b] = newer.activities;
  if (b) b.updatedAt = 2;
  const editors = presentIn(after(startOrder(summaries), { type: 'adopt', read: newer })).map(
    (one) => one.editor,
  );
  assert.deepEqual(editors, ['Helena', undefined, 'Helena']);
});
