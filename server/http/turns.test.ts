import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTurns } from '../concurrency.ts';
import { until } from '../testing/until.ts';
import { AppError } from './errors.ts';

const unavailable = (error: unknown) => error instanceof AppError && error.code === 'server/unavailable';

/** Starts work that ends when the test calls the function of its name. */
function startWork(inTurn: ReturnType<typeof createTurns>) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (name: string) =>
    inTurn(async () => {
      begun.push(name);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.set(name, resolve);
      await promise;
      return name;
    });
  return { begun, run, end: (name: string) => ends.get(name)?.() };
}

test('the work runs in its order, never more than allowed at once, and the rest is refused at once', async () => {
  const { begun, run, end } = startWork(createTurns({ atOnce: 2, mostWaiting: 2, waitMs: 60_000 }));
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(run);
  await assert.rejects(run('e'), unavailable);
  assert.deepEqual(begun, ['a', 'b']);
  end('b');
  assert.equal(await b, 'b');
  await until(async () => begun.length === 3);
  assert.equal(begun.at(-1), 'c');
  end('a');
  await a;
  await until(async () => begun.length === 4);
  end('c');
  end('d');
  assert.deepEqual(await Promise.all([c, d]), ['c', 'd']);
});

test('work that waited too long is refused, and failed work gives its turn to the next', async () => {
  const inTurn = createTurns({ atOnce: 1, mostWaiting: 5, waitMs: 1 });
  const { begun, run, end } = startWork(inTurn);
  const first = run('first');
  await assert.rejects(run('late'), unavailable);
  end('first');
  await first;
  await assert.rejects(
    inTurn(() => Promise.reject(new Error('broken'))),
    /broken/,
  );
  const last = run('last');
  end('last');
  await last;
  assert.deepEqual(begun, ['first', 'last']);
});
