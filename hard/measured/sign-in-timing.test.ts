import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { percentile } from '#bench/measure.ts';
import { paths } from '#contract/paths.ts';
import { writeFirebaseHash } from '#server/auth/passwords/firebase-hash.ts';
import { connect } from '#server/database/connect.ts';
import { startMailbox } from '#server/testing/mailbox.ts';
import { visitorAt } from '#server/testing/server.ts';
import { startServerProcess } from '#server/testing/server-process.ts';
import { report } from '../figures.ts';
import { temporaryFolder } from '../machine.ts';

const attempts = 40;
const mailMs = 300;
/** Pause after each attempt, in which the server finishes its work. `mailMs` is added if it sends a mail. */
const pauseMs = 150;
const mostDifference = 0.05;
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
  for (const form of [signIn, reset, signUp, newsletter])
    await compare(form, 'known, unknown', known, addresses(form.name.slice(0, 4)));
});

it('refuses an account with an imported password after the same time as any other account', async (t) => {
  const { known, storeImportedHashes, compare } = await startWithAccounts(t);
  const [imported, own] = [known.slice(attempts / 2), known.slice(0, attempts / 2)];
  await storeImportedHashes(imported);
  await compare(signIn, 'imported, unknown', imported, addresses('depois'));
  await compare(signIn, 'own, unknown', own, addresses('ainda'));
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

  /** @returns the milliseconds of this call, and of the next request on the same connection */
  async function call({ name, where, status, body }: Form, email: string) {
    calls += 1;
    const headers = {
      ...(await visitorAt(server.url, server.url).appCheck()),
      'content-type': 'application/json',
      origin: server.url,
      'x-forwarded-for': `10.0.${Math.floor(calls / 250)}.${calls % 250}`,
    };
    const url = server.url + where;
    const first = await send(agent, url, { method: 'POST', headers }, JSON.stringify(body(email)));
    assert.equal(first.status, status, name);
    const next = await send(agent, server.url + paths.auth.methods, {});
    return { ms: first.ms, nextMs: next.ms };
  }

  const known = addresses('pessoa');
  for (const email of known) for (const form of [signUp, newsletter]) await call(form, email);
  const count = async (table: 'users' | 'newsletterSubscribers') =>
    (await database.selectFrom(table).select('email').execute()).length;
  while ((await count('users')) < attempts || (await count('newsletterSubscribers')) < attempts)
    await wait(50);
  await database.updateTable('users').set({ emailVerified: true }).execute();
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

    /** Measures two groups of email addresses alternately, and compares their medians. */
    async compare(form: Form, groups: string, one: string[], other: string[]) {
      const sides = [
        { emails: one, times: [] as number[], next: [] as number[] },
        { emails: other, times: [] as number[], next: [] as number[] },
      ];
      for (const index of one.keys())
        for (const { emails, times, next } of index % 2 === 0 ? sides : sides.toReversed()) {
          const { ms, nextMs } = await call(form, emails[index] ?? '');
          times.push(ms);
          next.push(nextMs);
          await wait(form.mails ? mailMs + pauseMs : pauseMs);
        }
      const medians = sides.map(({ times }) => percentile(times, 0.5));
      const difference = (Math.max(...medians) - Math.min(...medians)) / Math.max(...medians);
      const figures = medians.map((ms) => ms.toFixed(2)).join(', ');
      const following = sides.map(({ next }) => percentile(next, 0.5).toFixed(2)).join(', ');
      report(
        `refusals of ${form.name}: ${groups}; the request after them`,
        `${figures} ms (${(100 * difference).toFixed(1)} %); ${following} ms`,
        `${100 * mostDifference} %`,
      );
      assert.ok(difference <= mostDifference, `${form.name}, ${groups}: ${figures} ms`);
    },
  };
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
