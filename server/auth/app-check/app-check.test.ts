import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { solveChallenge } from '#client/solve-challenge.ts';
import { type AppCheckChallenge, type AppCheckProof, appCheckHeader } from '#contract/app-check.ts';
import { cleanUp } from '#server/database/clean-up.ts';
import type { DatabaseKind } from '#server/database/connect.ts';
import { databaseKinds } from '#server/testing/databases.ts';
import { startTestServer, type TestUser } from '#server/testing/server.ts';
import { createAppCheck } from './app-check.ts';

const json = { 'content-type': 'application/json' };

async function getChallenge(user: TestUser): Promise<AppCheckChallenge> {
  return (await (await user.fetch('/api/auth/app-check/challenge')).json()) as AppCheckChallenge;
}

function exchange(user: TestUser, proof: AppCheckProof): Promise<Response> {
  return user.fetch('/api/auth/app-check', { method: 'POST', headers: json, body: JSON.stringify(proof) });
}

/**
 * Calls a route that requires an app check, with `token`.
 * @returns the status, 202 when the token is valid
 */
async function statusWith(user: TestUser, token: string): Promise<number> {
  const response = await user.fetch('/api/documents/newsletter', {
    method: 'POST',
    headers: { ...json, [appCheckHeader]: token },
    body: JSON.stringify({ email: 'ana@exemplo.com.br', consent: true }),
  });
  return response.status;
}

const start = (t: TestContext, kind: DatabaseKind) => startTestServer(t, kind);

for (const kind of databaseKinds) {
  describe(`app check on ${kind}`, { concurrency: true }, () => {
    it('gives a token for a solved challenge, and the token is valid for one call', async (t) => {
      const { visitor } = await start(t, kind);
      const { [appCheckHeader]: token = '' } = await visitor.appCheck();
      const statuses = await Promise.all(Array.from({ length: 5 }, () => statusWith(visitor, token)));
      assert.deepEqual(statuses.sort(), [202, 403, 403, 403, 403]);
    });

    it('accepts each challenge once, even when two equal solutions arrive at the same time', async (t) => {
      const { visitor } = await start(t, kind);
      const challenge = await getChallenge(visitor);
      const proof = { challenge, solution: await solveChallenge(challenge) };
      const responses = await Promise.all([exchange(visitor, proof), exchange(visitor, proof)]);
      assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 403]);
    });

    it('refuses wrong solutions and challenges that the server did not sign', async (t) => {
      const { visitor } = await start(t, kind);
      const challenge = await getChallenge(visitor);
      const solution = await solveChallenge(challenge);
      const { parameters, signature } = challenge;
      const wrong: AppCheckProof[] = [
        { challenge, solution: { ...solution, derivedKey: '00'.repeat(32) } },
        {
          challenge: {
            parameters,
            signature: signature.replace(/^../, signature.startsWith('00') ? '11' : '00'),
          },
          solution,
        },
        { challenge: { parameters: { ...parameters, cost: 1, keyPrefix: '' }, signature }, solution },
        {
          challenge: { parameters: { ...parameters, data: { id: 'x', holder: 'visitor' } }, signature },
          solution,
        },
        { challenge: { parameters: {}, signature: '' }, solution },
      ];
      for (const proof of wrong) assert.ok([400, 403].includes((await exchange(visitor, proof)).status));
      assert.equal((await exchange(visitor, { challenge, solution })).status, 200);
    });

    it('binds challenges and tokens to the session that asked for them', async (t) => {
      const server = await start(t, kind);
      const [ana, bia] = [await server.join(), await server.join()];
      const challenge = await getChallenge(ana);
      const proof = { challenge, solution: await solveChallenge(challenge) };
      assert.equal((await exchange(bia, proof)).status, 403);
      assert.equal((await exchange(server.visitor, proof)).status, 403);
      const { token } = (await (await exchange(ana, proof)).json()) as { token: string };
      assert.equal(await statusWith(bia, token), 403);
      assert.equal(await statusWith(ana, token), 202);
    });

    it('refuses forged tokens', async (t) => {
      const { visitor } = await start(t, kind);
      const { [appCheckHeader]: token = '' } = await visitor.appCheck();
      const [, signature] = token.split('.');
      const content = { id: 'x', holder: 'visitor', expiresAt: Date.now() + 1e6 };
      const text = Buffer.from(JSON.stringify(content)).toString('base64url');
      for (const forged of [
        '',
        'a',
        'a.b',
        `${text}.${signature}`,
        `${text}.`,
        `.${signature}`,
        `${token}x`,
      ]) {
        assert.equal(await statusWith(visitor, forged), 403, forged);
      }
    });
  });

  // The mocked clock affects the whole process, so this test must not run at the same time as the others.
  describe(`app check and time on ${kind}`, () => {
    it('refuses expired challenges and tokens, and only the clean-up deletes expired spent proofs', async (t) => {
      const server = await start(t, kind);
      t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
      const environment = { appCheckCost: 1 };
      const { database, authSecret } = server;
      const appCheck = createAppCheck({ database, authSecret, environment });
      const solved = async () => {
        const challenge = await appCheck.challenge('visitor');
        return { challenge, solution: await solveChallenge(challenge) };
      };
      const [late, early] = [await solved(), await solved()];
      const token = await appCheck.exchange(early, 'visitor');
      t.mock.timers.tick(5 * 60_000 + 1_000);
      await assert.rejects(appCheck.exchange(late, 'visitor'), { code: 'auth/app-check-failed' });
      t.mock.timers.tick(5 * 60_000);
      await assert.rejects(appCheck.spendToken(token, 'visitor'), { code: 'auth/app-check-failed' });
      await appCheck.exchange(await solved(), 'visitor');
      const left = async () => (await database.selectFrom('spentProofs').select('id').execute()).length;
      assert.equal(await left(), 2);
      await cleanUp(database, kind);
      assert.equal(await left(), 1);
      // The clean-up keeps a spent proof for a while after it expires. The clock of another instance can be
      // behind, and the proof's token must not become valid again there.
      t.mock.timers.tick(5 * 60_000 + 1_000);
      await cleanUp(database, kind);
      assert.equal(await left(), 1);
      t.mock.timers.tick(5 * 60_000);
      await cleanUp(database, kind);
      assert.equal(await left(), 0);
    });
  });
}
