import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activity as activitySchema, type ListedActivity } from '#contract/activity.ts';
import type { Axis } from '#contract/axes.ts';
import { moved } from '../components/ordering/move.ts';
import { keeping, rowsOf, stepsAway } from './rows.ts';

const times = { createdAt: 1, updatedAt: 1 };
const activity = (id: string, axis: Axis) =>
  activitySchema.parse({ id, axis, title: id, url: 'https://exemplo.com.br', content: id, ...times });
const mind = [...'abcd'].map((id) => activity(id, 'mind'));
const values = [
  activity('f1', 'fun'),
  activity('c1', 'career'),
  activity('f2', 'fun'),
  activity('v1', 'values'),
];
const ids = (list: readonly ListedActivity[]) => list.map(({ id }) => id).join(' ');

test('a list of one axis has one row per activity, with its position', () => {
  assert.deepEqual(
    rowsOf('mind', mind).map((row) => row.kind === 'card' && `${row.key} ${row.place}/${row.of}`),
    ['a 1/4', 'b 2/4', 'c 3/4', 'd 4/4'],
  );
});

test('the list of values has the groups values, family, career and fun, without empty ones', () => {
  assert.deepEqual(
    rowsOf('values', values).map((row) => (row.kind === 'heading' ? `${row.axis} ${row.count}` : row.key)),
    ['values 1', 'v1', 'career 1', 'c1', 'fun 2', 'f1', 'f2'],
  );
});

test('an activity moves before or after another one, and none is lost', () => {
  assert.equal(ids(moved(mind, { id: 'd', beside: 'a', side: 'before' })), 'd a b c');
  assert.equal(ids(moved(mind, { id: 'a', beside: 'c', side: 'after' })), 'b c a d');
});

test('a move to the same place, or next to a missing activity, changes nothing', () => {
  assert.equal(moved(mind, { id: 'b', beside: 'a', side: 'after' }), mind);
  assert.equal(moved(mind, { id: 'b', beside: 'b', side: 'after' }), mind);
  assert.equal(moved(mind, { id: 'b', beside: 'gone', side: 'after' }), mind);
  assert.equal(moved(mind, { id: 'gone', beside: 'a', side: 'after' }), mind);
});

test('a deleted activity that can be restored keeps its place in a newer list', () => {
  const [a, b, c, d] = mind;
  assert.ok(a && b && c && d);
  const fresh = { ...d, title: 'new' };
  assert.deepEqual(keeping(new Set('bc'), mind, [a, fresh]), [a, b, c, fresh]);
  assert.deepEqual(keeping(new Set('a'), mind, [b, c, d]), mind);
  assert.deepEqual(keeping(new Set('d'), mind, [fresh, a]), [fresh, a]);
  assert.deepEqual(keeping(new Set(), mind, [c]), [c]);
});

test('steps stay inside the group and stop at its ends', () => {
  const rows = rowsOf('values', values);
  assert.deepEqual(stepsAway(rows, 'f2', -1), { id: 'f2', beside: 'f1', side: 'before' });
  assert.deepEqual(stepsAway(rows, 'f1', 10), { id: 'f1', beside: 'f2', side: 'after' });
  assert.equal(stepsAway(rows, 'f1', -1), undefined);
  assert.equal(stepsAway(rows, 'c1', 1), undefined);
});
