import assert from 'node:assert/strict';
import { createCipheriv, randomBytes, scryptSync } from 'node:crypto';
import { after, describe, it, test } from 'node:test';
import { sql } from 'kysely';
import type { Database } from '#server/database/connect.ts';
import { codeOf } from '#server/testing/authenticator.ts';
import { databaseKinds } from '#server/testing/databases.ts';
import { refusedWith } from '#server/testing/refused.ts';
import { startTestServer, type TestServer, visitorAt } from '#server/testing/server.ts';
import { readFirebaseHash, writeFirebaseHash } from './firebase-hash.ts';
import { createImportedHashes, type ImportedHashes } from './imported-hashes.ts';
import { createPasswordHashing } from './password-hashing.ts';
import { createScrypt, type Scrypt, type ScryptJob } from './scrypt.ts';

const scrypt = createScrypt({ cost: 512 });
after(() => scrypt.end());

const fast = { costLog2: 5, rounds: 1 };
const oldPassword = 'senha antiga ção';

/**
 * Returns what an import stores for a Firebase password. It is computed independently of the server's code.
 */
function imported(password: string, { costLog2, rounds } = fast): string {
  const salt = randomBytes(11);
  const key = scryptSync(Buffer.from(password), salt, 32, { N: 2 ** costLog2, r: rounds, p: 1 });
  const keystream = createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(64));
  return writeFirebaseHash({ costLog2, rounds, salt, keystream });
}

test("the test vector of firebase/scrypt's README matches its password only", async () => {
  const signerKey = Buffer.from(
    'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
    'base64',
  );
  const hash = Buffer.from(
    'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
    'base64',
  );
  const stored = writeFirebaseHash({
    ...{ costLog2: 14, rounds: 8, salt: Buffer.from('42xEC+ixf3L2lwc=', 'base64') },
    keystream: Buffer.from(hash.map((byte, index) => byte ^ (signerKey[index] ?? 0))),
  });
  const passwords = createPasswordHashing(console, scrypt);
  assert.equal(await passwords.verify({ hash: stored, password: 'user1password' }), true);
  for (const password of ['user1passwore', 'User1password', ' user1password', ''])
    assert.equal(await passwords.verify({ hash: stored, password }), false, password);
});

test('a stored hash that is malformed, or costs more than Firebase allows, matches no password', async () => {
  const passwords = createPasswordHashing(console, scrypt);
  const good = imported('senha');
  const [, , , salt, keystream] = good.split(':');
  for (const hash of [
    'firebase:',
    good.slice(0, -1),
    `${good}00`,
    good.replace(':1:', ':0:'),
    `firebase:30:8:${salt}:${keystream}`,
    `firebase:14:9:${salt}:${keystream}`,
    `firebase:5:1::${keystream}`,
    good.toUpperCase(),
  ]) {
    assert.equal(readFirebaseHash(hash), undefined, hash);
    assert.equal(await passwords.verify({ hash, password: 'senha' }), false, hash);
  }
});

describe('while there are imported passwords', () => {
  const withCost: ImportedHashes = { findCost: async () => fast, replace: async () => {} };

  /** Returns the hashes that the thread computes during `work`. */
  async function jobsOf(
    work: (passwords: ReturnType<typeof createPasswordHashing>) => Promise<unknown>,
    hashes = withCost,
  ) {
    const jobs: string[] = [];
    const recorded: Scrypt = {
      ...scrypt,
      derive(job: ScryptJob) {
        jobs.push('firebase' in job ? `firebase ${job.firebase.costLog2} ${job.firebase.rounds}` : 'own');
        return scrypt.derive(job);
      },
    };
    await work(createPasswordHashing(console, recorded, hashes));
    return jobs.sort();
  }

  test('every refusal computes the same hashes, for an imported hash, our own hash and no account', async () => {
    const own = await createPasswordHashing(console, scrypt).hash('certa12345');
    const same = ['firebase 5 1', 'own'];
    assert.deepEqual(
      await jobsOf((passwords) => passwords.verify({ hash: imported('certa'), password: 'errada' })),
      same,
    );
    assert.deepEqual(await jobsOf((passwords) => passwords.verify({ hash: own, password: 'errada' })), same);
    assert.deepEqual(
      await jobsOf((passwords) => passwords.handle({ isSignIn: true }, () => passwords.hash('errada'))),
      same,
    );
  });

  test('no Firebase hash is computed for a sign-up, for the correct password of an account with our own hash, or on a site without imported hashes', async () => {
    const own = await createPasswordHashing(console, scrypt).hash('certa12345');
    const none: ImportedHashes = { ...withCost, findCost: async () => undefined };
    assert.deepEqual(await jobsOf((passwords) => passwords.verify({ hash: own, password: 'certa12345' })), [
      'own',
    ]);
    assert.deepEqual(await jobsOf((passwords) => passwords.hash('nova12345')), ['own']);
    assert.deepEqual(await jobsOf((passwords) => passwords.verify({ hash: own, password: 'errada' }), none), [
      'own',
    ]);
    assert.deepEqual(
      await jobsOf((passwords) => passwords.handle({ isSignIn: true }, () => passwords.hash('errada')), none),
      ['own'],
    );
  });
});

for (const kind of databaseKinds) {
  describe(`imported passwords on ${kind}`, () => {
    /** Signs up a user and then replaces the password hash with an imported one. */
    async function joinWithImported(server: TestServer) {
      const user = await server.join('admin');
      await setPassword(server.database, user.uid, imported(oldPassword));
      return { ...user, ...visitorAt(server.url), password: oldPassword, signedIn: user };
    }

    it('are accepted wherever a password is checked, and replaced by ours', async (t) => {
      const server = await startTestServer(t, kind);
      const checks: Record<string, (user: Awaited<ReturnType<typeof joinWithImported>>) => Promise<unknown>> =
        {
          'sign-in': ({ client, email, password }) => client.auth.signIn({ email, password }),
          'second factor': async ({ signedIn, password }) => {
            const { uri } = await signedIn.client.auth.beginSecondFactor({ password });
            await signedIn.client.auth.confirmSecondFactor(codeOf(uri));
          },
          'password change': ({ signedIn, password }) =>
            signedIn.client.auth.changePassword({ current: password, next: 'novaSenha123' }),
        };
      for (const [name, check] of Object.entries(checks)) {
        const user = await joinWithImported(server);
        await check(user);
        assert.match(await passwordOf(server.database, user.uid), /^[0-9a-f]{32}:[0-9a-f]{128}$/, name);
        if (name !== 'password change') continue;
        await user.client.auth.signIn({ email: user.email, password: 'novaSenha123' });
        const old = visitorAt(server.url).client.auth.signIn({ email: user.email, password: oldPassword });
        await assert.rejects(old, refusedWith('auth/invalid-credentials'));
      }
      const leaving = await joinWithImported(server);
      await assert.rejects(
        leaving.signedIn.client.auth.deleteAccount({ password: 'errada' }),
        refusedWith('auth/wrong-password'),
      );
      assert.match(await passwordOf(server.database, leaving.uid), /^firebase:/);
      await leaving.signedIn.client.auth.deleteAccount({ password: oldPassword });
    });

    it('simultaneous sign-ins all succeed, and the stored password is right', async (t) => {
      const server = await startTestServer(t, kind);
      const user = await joinWithImported(server);
      const { email, password } = user;
      await Promise.all([1, 2, 3].map(() => visitorAt(server.url).client.auth.signIn({ email, password })));
      assert.match(await passwordOf(server.database, user.uid), /^[0-9a-f]{32}:/);
      await visitorAt(server.url).client.auth.signIn({ email, password });
    });

    it('a password change is not overwritten by the replacement of an imported hash', async (t) => {
      const server = await startTestServer(t, kind);
      const { uid } = await joinWithImported(server);
      const hashes = createImportedHashes(server.database);
      const old = await passwordOf(server.database, uid);
      await setPassword(server.database, uid, 'changed');
      await hashes.replace(old, 'late');
      assert.equal(await passwordOf(server.database, uid), 'changed');
    });

    it('are found by an index, without reading all accounts', async (t) => {
      const server = await startTestServer(t, kind);
      const { uid } = await joinWithImported(server);
      const hashes = createImportedHashes(server.database);
      assert.deepEqual(await hashes.findCost(), fast);
      await setPassword(server.database, uid, 'other');
      assert.equal(await createImportedHashes(server.database).findCost(), undefined);
      const { rows } = await server.database.connection().execute(async (connection) => {
        // Otherwise PostgreSQL would use a sequential scan, because the table is small.
        if (kind === 'postgres') await sql`set enable_seqscan = off`.execute(connection);
        const explain = sql.raw(kind === 'sqlite' ? 'explain query plan' : 'explain');
        return sql`${explain} update accounts set password = 'own'
          where password = 'firebase:x' and substr(password, 1, 9) = 'firebase:'`.execute(connection);
      });
      assert.match(JSON.stringify(rows), /accountsImported/);
    });
  });
}

async function passwordOf(database: Database, uid: string): Promise<string> {
  const { password } = await database
    .selectFrom('accounts')
    .select('password')
    .where('userId', '=', uid)
    .where('providerId', '=', 'credential')
    .executeTakeFirstOrThrow();
  return password ?? '';
}

async function setPassword(database: Database, uid: string, password: string): Promise<void> {
  await database.updateTable('accounts').set({ password }).where('userId', '=', uid).execute();
}
