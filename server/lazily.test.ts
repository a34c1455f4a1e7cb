import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lazily } from './concurrency.ts';

test('the value is made once for all callers, and the next caller repeats a failed attempt', async () => {
  let made = 0;
  const get = lazily(async () => {
    made += 1;
    if (made === 1) throw new Error('away');
    return made;
  });
  assert.equal(made, 0);
  const first = await Promise.allSettled([get(), get()]);
  assert.deepEqual(
    first.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.deepEqual(await Promise.all([get(), get(), get()]), [2, 2, 2]);
  assert.equal(await get(), 2);
});
