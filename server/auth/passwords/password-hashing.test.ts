import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { isFullLevel } from '#server/testing/databases.ts';
import { createPasswordHashing } from './password-hashing.ts';
import { createScrypt } from './scrypt.ts';

const password = 'caféDaManhã2025';
/** A hash takes 20 ms with this cost. */
const scrypt = createScrypt({ cost: 4_096 });
after(() => scrypt.end());

test('a hash matches only its password, in every Unicode normalization form', async () => {
  const passwords = createPasswordHashing(console, scrypt);
  const hash = await passwords.hash(password);
  assert.equal(await passwords.verify({ hash, password }), true);
  assert.equal(await passwords.verify({ hash, password: password.normalize('NFD') }), true);
  assert.equal(await passwords.verify({ hash, password: `${password} ` }), false);
  assert.notEqual(await passwords.hash(password), hash, 'each has a salt of its own');
});

test('hashes are compatible with Better Auth, so existing accounts keep their passwords', async (t) => {
  const passwords = createPasswordHashing();
  t.after(() => passwords.close());
  assert.equal(await passwords.verify({ hash: await hashPassword(password), password }), true);
  assert.equal(await verifyPassword({ hash: await passwords.hash(password), password }), true);
});

test('a malformed hash matches no password', async () => {
  const passwords = createPasswordHashing(console, scrypt);
  for (const hash of ['', ':', 'salt', 'salt:', 'salt:zz', ':00'])
    assert.equal(await passwords.verify({ hash, password: '' }), false, hash);
});

test('passwords beyond the queue limit are refused, and the event loop stays responsive', async () => {
  const passwords = createPasswordHashing(console, scrypt);
  let hashed = 0;
  const asked = Array.from({ length: 40 }, async () => {
    await passwords.hash(password);
    hashed += 1;
  });
  const results = Promise.allSettled(asked);
  await passwords.waitForSpace('known');
  let turns = 0;
  for (; hashed < 33 && turns < 1_000; turns += 1) await setImmediate();
  // Hashing on this thread would leave about two turns between two hashes.
  assert.ok(turns > 200, `the event loop turns while passwords are hashed: ${turns}`);
  const refused = (await results).filter((result) => result.status === 'rejected');
  assert.equal(refused.length, 7);
  for (const { reason } of refused) assert.equal(reason.code, 'server/unavailable');
  assert.equal(hashed, 33);
});

test('a sign-in waits while the queue is full, and continues when the queue has space', async (t) => {
  // A hash takes 3 ms with this cost, so the queue has space long before the sign-in would be refused.
  const quick = createScrypt({ cost: 512 });
  t.after(() => quick.end());
  const passwords = createPasswordHashing(console, quick);
  const flood = Promise.allSettled(Array.from({ length: 40 }, () => passwords.hash(password)));
  await assert.rejects(() => passwords.hash(password), { code: 'server/unavailable' }, 'the queue is full');
  await passwords.waitForSpace('unknown');
  await flood;
});

if (isFullLevel)
  test('while the queue stays full, a sign-in is refused only after some time, so that a flood slows down', async () => {
    const passwords = createPasswordHashing(console, scrypt);
    let isFlooded = true;
    const flood = Array.from({ length: 40 }, async () => {
      while (isFlooded) await passwords.hash(password).catch(() => setImmediate());
    });
    const started = performance.now();
    await assert.rejects(() => passwords.waitForSpace('unknown'), { code: 'server/unavailable' });
    assert.ok(performance.now() - started > 400);
    isFlooded = false;
    await Promise.all(flood);
  });

test('a precomputed hash is used unchanged', async () => {
  const passwords = createPasswordHashing(console, scrypt);
  const readyHash = await passwords.hash(password);
  assert.equal(await passwords.handle({ readyHash }, () => passwords.hash(password)), readyHash);
});

test('closing ends the thread', async () => {
  const passwords = createPasswordHashing();
  const started = once(process, 'worker') as Promise<[Worker]>;
  await passwords.hash(password);
  const [thread] = await started;
  const ended = once(thread, 'exit');
  await passwords.close();
  await ended;
});
