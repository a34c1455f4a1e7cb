/**
 * `node bench/sign-in-timing.ts` measures whether the response time reveals that an account exists: sign-in,
 * password reset, sign-up where email addresses are verified first, and newsletter. The mail server takes
 * 300 ms. Then it gives half of the accounts a password that came from Firebase, and measures sign-in again. If the
 * medians of known and unknown email addresses differ by more than 5 %, it exits with 1.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { paths } from '#contract/paths.ts';
import { writeFirebaseHash } from '#server/auth/passwords/firebase-hash.ts';
import { connect } from '#server/database/connect.ts';
import { startMailbox } from '#server/testing/mailbox.ts';
import { type TestUser, visitorAt } from '#server/testing/server.ts';
import { startServerProcess } from '#server/testing/server-process.ts';

const attempts = 50;
const mailMs = 300;
/** A pause after each attempt, in which the server finishes its work and the mail. */
const pauseMs = mailMs + 150;
const most = 0.05;
const password = 'senhaCerta123';
const displayName = 'Ana';

type Kind = { name: string; where: string; status: number; body: (email: string) => object };
const kinds: Kind[] = [
  {
    ...{ name: 'sign-in, wrong password', where: paths.auth.signIn, status: 401 },
    body: (email) => ({ email, password: 'senhaErrada123' }),
  },
  {
    ...{ name: 'password reset', where: paths.auth.requestPasswordReset, status: 202 },
    body: (email) => ({ email }),
  },
  {
    ...{ name: 'sign-up', where: paths.auth.signUp, status: 403 },
    body: (email) => ({ displayName, email, password }),
  },
  {
    ...{ name: 'newsletter', where: paths.documents.newsletter, status: 202 },
    body: (email) => ({ email, consent: true }),
  },
];

const dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-bench-'));
const mailbox = await startMailbox({ beforeResponse: () => wait(mailMs) });
const start = () =>
  startServerProcess(dataDir, {
    // Every attempt has its own IP address, so that rate limits do not affect the result.
    TRUSTED_PROXIES: '127.0.0.1,::1',
    SMTP_URL: mailbox.url,
    REQUIRE_VERIFIED_EMAIL: 'true',
  });
let server = await start();
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let calls = 0;

try {
  const known = Array.from({ length: attempts }, (_, index) => `pessoa${index}@exemplo.com.br`);
  const visitor = visitorAt(server.url, server.url);
  for (const email of known) {
    for (const kind of kinds.slice(2)) await call(visitor, kind, email);
    await wait(100);
  }
  await wait(1_000);
  const database = connect({ dataDir, databaseUrl: undefined });
  await database.updateTable('users').set({ emailVerified: true }).execute();
  await database.updateTable('newsletterSubscribers').set({ confirmedAt: Date.now() }).execute();
  await database.destroy();

  printHeader('known', 'unknown');
  for (const kind of kinds)
    await compare(visitor, kind, {
      known,
      unknown: known.map((_, index) => `${kind.name.slice(0, 4)}${index}@exemplo.com.br`),
    });

  await server.stop();
  const [imported, own] = [known.filter(isEven), known.filter((_, index) => !isEven(_, index))];
  await storeImportedHashes(imported);
  server = await start();
  const later = visitorAt(server.url, server.url);
  const [signIn] = kinds;
  if (!signIn) throw new Error('There is no sign-in to measure.');
  const unknown = imported.map((_, index) => `depois${index}@exemplo.com.br`);
  printHeader('imported', 'unknown');
  await compare(later, signIn, { known: imported, unknown });
  printHeader('own', 'unknown');
  await compare(later, signIn, { known: own, unknown: unknown.map((email) => `x${email}`) });
} finally {
  agent.destroy();
  await server.kill();
  await mailbox.stop();
  await rm(dataDir, { recursive: true, force: true });
}

function isEven(_: unknown, index: number): boolean {
  return index % 2 === 0;
}

/** Gives the accounts hashes as an import from Firebase stores them, with the parameters of every Firebase project. */
async function storeImportedHashes(emails: string[]): Promise<void> {
  const database = connect({ dataDir, databaseUrl: undefined });
  for (const email of emails) {
    const [salt, keystream] = [randomBytes(11), randomBytes(64)];
    await database
      .updateTable('accounts')
      .set({ password: writeFirebaseHash({ costLog2: 14, rounds: 8, salt, keystream }) })
      .where('userId', 'in', (row) => row.selectFrom('users').select('id').where('email', '=', email))
      .execute();
  }
  await database.destroy();
}

/** Measures two groups of email addresses in turns, and prints their medians. */
async function compare(
  visitor: TestUser,
  kind: Kind,
  emails: Record<'known' | 'unknown', string[]>,
): Promise<void> {
  const times = { known: [] as number[], unknown: [] as number[] };
  const next = { known: [] as number[], unknown: [] as number[] };
  for (const index of emails.known.keys()) {
    const sides = ['known', 'unknown'] as const;
    for (const side of index % 2 === 0 ? sides : sides.toReversed()) {
      const { ms, nextMs } = await call(visitor, kind, emails[side][index] ?? '');
      times[side].push(ms);
      next[side].push(nextMs);
      await wait(pauseMs);
    }
  }
  const difference = say(kind.name, median(times.known), median(times.unknown));
  say('  the request after it', median(next.known), median(next.unknown));
  if (difference > most) process.exitCode = 1;
}

function printHeader(one: string, other: string): void {
  console.log('response'.padEnd(26), one.padStart(9), other.padStart(9), 'difference'.padStart(11));
}

function say(name: string, known: number, unknown: number): number {
  const difference = Math.abs(known - unknown) / Math.max(known, unknown);
  const columns = [`${known.toFixed(2)} ms`.padStart(9), `${unknown.toFixed(2)} ms`.padStart(9)];
  console.log(name.padEnd(26), ...columns, `${(100 * difference).toFixed(1)} %`.padStart(11));
  return difference;
}

/** Returns the milliseconds of this call, and of the next request on the same connection. */
async function call(visitor: TestUser, { name, where, status, body }: Kind, email: string) {
  calls += 1;
  const headers = {
    ...(await visitor.appCheck()),
    'content-type': 'application/json',
    origin: server.url,
    'x-forwarded-for': `10.0.${Math.floor(calls / 250)}.${calls % 250}`,
  };
  const first = await send('POST', where, headers, JSON.stringify(body(email)));
  if (first.status !== status) throw new Error(`${name} returned ${first.status}.`);
  const second = await send('GET', paths.auth.methods, {});
  return { ms: first.ms, nextMs: second.ms };
}

async function send(method: string, where: string, headers: Record<string, string>, body?: string) {
  const { promise, resolve, reject } = Promise.withResolvers<{ ms: number; status: number }>();
  const started = performance.now();
  const asked = request(server.url + where, { method, agent, headers }, (response) => {
    response.resume().once('end', () => {
      resolve({ ms: performance.now() - started, status: response.statusCode ?? 0 });
    });
  });
  asked.once('error', reject).end(body);
  return promise;
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
