import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { percentile } from '#bench/measure.ts';
import { paths } from '#contract/paths.ts';
import { writeFirebaseHash } from '#server/auth/passwords/firebase-hash.ts';
import { connect } from '#server/database/connect.ts';
import { startMailbox, tokenIn } from '#server/testing/peers/mailbox.ts';
import { visitorAt } from '#server/testing/server.ts';
import { startServerProcess } from '#server/testing/server-process.ts';
import { report } from '../figures.ts';
import { temporaryFolder } from '../machine.ts';

const attempts = 40;
const mailMs = 300;
/** Pause after each attempt, in which the server finishes its work. `mailMs` is added if it sends a mail. */
const pauseMs = 150;
/** A stranger cannot measure a shorter difference over a network with these attempts. */
const leastMs = 2;
const displayName = 'Ana';
const password = 'senhaCerta123';

type Form = { name: string; where: string; status: number; mails: boolean; body: (email: string) => object };

const signIn: Form = {
  ...{ name: 'sign-in', where: paths.auth.signIn, status: 401, mails: false },
  body: (email) => ({ email, password: 'senhaErrada123' }),
};
const signUp: Form = {
  ...{ name: 'sign-up', where: paths.auth.signUp, status: 403, mails: true },
  body: (email) => ({ displayName, email, password }),
};
const newsletter: Form = {
  ...{ name: 'newsletter', where: paths.documents.newsletter, status: 202, mails: true },
  body: (email) => ({ email, consent: true }),
};
const reset: Form = {
  ...{ name: 'password reset', where: paths.auth.requestPasswordReset, status: 202, mails: true },
  body: (email) => ({ email }),
};

const addresses = (name: string) =>
  Array.from({ length: attempts }, (_, index) => `${name}${index}@exemplo.com.br`);

it('responds as late for a known email address as for an unknown one', async (t) => {
  const { known, compare } = await startWithAccounts(t);
  for (const form of [signIn, reset, signUp, newsletter]) await compare(form, 'known', known);
});

it('refuses an account with an imported password after the same time as any other account', async (t) => {
  const { known, storeImportedHashes, compare } = await startWithAccounts(t);
  const [imported, own] = [known.slice(attempts / 2), known.slice(0, attempts / 2)];
  await storeImportedHashes(imported);
  await compare(signIn, 'imported', imported);
  await compare(signIn, 'own', own);
});

/** Starts a server with accounts whose email addresses are verified, and a slow mail server. */
async function startWithAccounts(t: TestContext) {
  const dataDir = await temporaryFolder(t);
  const mailbox = await startMailbox({ beforeResponse: () => wait(mailMs) });
  t.after(mailbox.stop);
  const start = () =>
    startServerProcess(dataDir, {
      // Every attempt has its own IP address, so that rate limits do not affect the result.
      TRUSTED_PROXIES: '127.0.0.1,::1',
      SMTP_URL: mailbox.url,
      REQUIRE_VERIFIED_EMAIL: 'true',
    });
  let server = await start();
  t.after(() => server.kill());
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  const database = connect({ dataDir, databaseUrl: undefined });
  t.after(() => database.destroy());
  let calls = 0;
  let groups = 0;

  /** @returns the milliseconds of this call, and of the next request on the same connection */
  async function call({ name, where, status, body }: Form, email: string) {
    calls += 1;
    const address = `10.0.${Math.floor(calls / 250)}.${calls % 250}`;
    const headers = {
      ...(await visitorAt(server.url, server.url, address).appCheck()),
      'content-type': 'application/json',
      origin: server.url,
      'x-forwarded-for': address,
    };
    const url = server.url + where;
    const first = await send(agent, url, { method: 'POST', headers }, JSON.stringify(body(email)));
    assert.equal(first.status, status, name);
    const next = await send(agent, server.url + paths.auth.methods, {});
    return { ms: first.ms, nextMs: next.ms };
  }

  const known = addresses('pessoa');
  for (const email of known) {
    await call(signUp, email);
    const token = tokenIn(await mailbox.take(email));
    await visitorAt(server.url, server.url).client.auth.verifyEmail({ token, password });
    await call(newsletter, email);
    await mailbox.take(email);
  }
  await database.updateTable('newsletterSubscribers').set({ confirmedAt: Date.now() }).execute();

  return {
    known,

    /** Gives the accounts hashes as an import stores them, with the parameters that Firebase projects use. */
    async storeImportedHashes(emails: string[]) {
      await server.stop();
      for (const email of emails) {
        const [salt, keystream] = [randomBytes(11), randomBytes(64)];
        await database
          .updateTable('accounts')
          .set({ password: writeFirebaseHash({ costLog2: 14, rounds: 8, salt, keystream }) })
          .where('userId', 'in', (row) => row.selectFrom('users').select('id').where('email', '=', email))
          .execute();
      }
      server = await start();
    },

    /**
     * Measures this group and two groups of unknown email addresses in turns. The difference between the
     * group and the unknown ones may not be much larger than that between the two unknown groups, which is
     * the noise of this machine.
     */
    async compare(form: Form, group: string, emails: string[]) {
      groups += 1;
      // Without this, the server would withhold the mails beyond the budget of an hour.
      await database.deleteFrom('attempts').execute();
      const sides = [emails, addresses(`um${groups}`), addresses(`dois${groups}`)].map((emails) => ({
        emails,
        times: [] as number[],
        next: [] as number[],
      }));
      for (const index of emails.keys()) {
        const turn = index % sides.length;
        for (const { emails, times, next } of [...sides.slice(turn), ...sides.slice(0, turn)]) {
          const { ms, nextMs } = await call(form, emails[index] ?? '');
          times.push(ms);
          next.push(nextMs);
          await wait(form.mails ? mailMs + pauseMs : pauseMs);
        }
      }
      // Means, because responses leave in steps, and a median can jump by a whole step.
      const [ofGroup = 0, ofUnknown = 0, ofOthers = 0] = sides.map(({ times }) => meanOf(times));
      const difference = Math.abs(ofGroup - (ofUnknown + ofOthers) / 2);
      const spread = Math.hypot(...sides.map(({ times }) => standardErrorOf(times)));
      const allowed = leastMs + Math.max(2 * Math.abs(ofUnknown - ofOthers), 3 * spread);
      const figures = [ofGroup, ofUnknown, ofOthers].map((ms) => ms.toFixed(2)).join(', ');
      const following = sides.map(({ next }) => percentile(next, 0.5).toFixed(2)).join(', ');
      report(
        `refusals of ${form.name}: ${group}, unknown, unknown; the request after them`,
        `${figures} ms (difference ${difference.toFixed(2)} ms); ${following} ms`,
        `${allowed.toFixed(2)} ms`,
      );
      assert.ok(difference <= allowed, `${form.name}, ${group}: ${figures} ms`);
    },
  };
}

const meanOf = (times: number[]) => times.reduce((sum, ms) => sum + ms, 0) / times.length;

/** Returns the standard error of the mean. */
function standardErrorOf(times: number[]): number {
  const mean = meanOf(times);
  const squares = times.reduce((sum, ms) => sum + (ms - mean) ** 2, 0);
  return Math.sqrt(squares / (times.length - 1) / times.length);
}

async function send(
  agent: Agent,
  url: string,
  options: { method?: string; headers?: Record<string, string> },
  body?: string,
) {
  const { promise, resolve, reject } = Promise.withResolvers<{ ms: number; status: number }>();
  const started = performance.now();
  const asked = request(url, { agent, ...options }, (response) => {
    response.resume().once('end', () => {
      resolve({ ms: performance.now() - started, status: response.statusCode ?? 0 });
    });
  });
  asked.once('error', reject).end(body);
  return promise;
}
