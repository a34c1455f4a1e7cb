import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { createPasswordHashing } from './password-hashing.ts';

const password = 'caféDaManhã2025';

test('a hash matches only its password, in every Unicode normalization form', async () => {
  const passwords = createPasswordHashing();
  const hash = await passwords.hash(password);
  assert.equal(await passwords.verify({ hash, password }), true);
  assert.equal(await passwords.verify({ hash, password: password.normalize('NFD') }), true);
  assert.equal(await passwords.verify({ hash, password: `${password} ` }), false);
  assert.notEqual(await passwords.hash(password), hash, 'each has a salt of its own');
});

test('hashes are compatible with Better Auth, so existing accounts keep their passwords', async () => {
  const passwords = createPasswordHashing();
  assert.equal(await passwords.verify({ hash: await hashPassword(password), password }), true);
  assert.equal(await verifyPassword({ hash: await passwords.hash(password), password }), true);
});

test('a malformed hash matches no password', async () => {
  const passwords = createPasswordHashing();
  for (const hash of ['', ':', 'salt', 'salt:', 'salt:zz', ':00'])
    assert.equal(await passwords.verify({ hash, password: '' }), false, hash);
});

test('passwords beyond the queue limit are refused, and the event loop stays responsive', async () => {
  const passwords = createPasswordHashing();
  const asked = Array.from({ length: 40 }, () => passwords.hash(password));
  let turns = 0;
  let going = true;
  const turn = () => {
    turns += 1;
    if (going) setImmediate(turn);
  };
  turn();
  assert.throws(() => passwords.requireRoom(), { code: 'server/unavailable' });
  const results = await Promise.allSettled(asked);
  going = false;
  const refused = results.filter((result) => result.status === 'rejected');
  assert.equal(refused.length, 7);
  for (const { reason } of refused) assert.equal(reason.code, 'server/unavailable');
  assert.ok(turns > 1_000, `${turns} turns of the event loop`);
  passwords.requireRoom();
});

test('a precomputed hash is used unchanged', async () => {
  const passwords = createPasswordHashing();
  const twice = await passwords.withReadyHash(password, async () => [
    await passwords.hash(password),
    await passwords.hash(password),
  ]);
  assert.equal(twice[0], twice[1]);
});
