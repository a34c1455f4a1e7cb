/**
 * Whether the time of a refused sign-in tells that an account exists: unknown address and wrong password, in turns.
 * `node bench/sign-in-timing.ts`; the two medians should lie within 5 % of each other.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { paths } from '#contract/paths.ts';
import { personAt } from '#server/testing/server.ts';
import { startServerProcess } from '#server/testing/server-process.ts';

const tries = 50;
const dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-bench-'));
// Every try comes from an address of its own, as a proxy reports it: limits are not what is measured.
const server = await startServerProcess(dataDir, { TRUSTED_PROXIES: '127.0.0.1,::1' });

try {
  const password = 'senhaCerta123';
  const accounts = Array.from({ length: tries }, (_, index) => `pessoa${index}@exemplo.com.br`);
  const { client } = personAt(server.url, server.url);
  for (const email of accounts.slice(0, 10))
    await client.auth.signUp({ displayName: 'Ana', email, password });
  const known: number[] = [];
  const unknown: number[] = [];
  for (let index = 0; index < tries; index += 1) {
    known.push(await timeOf(accounts[index % 10] ?? '', index));
    unknown.push(await timeOf(`ninguem${index}@exemplo.com.br`, index + tries));
  }
  const [withAccount, without] = [median(known), median(unknown)];
  const difference = Math.abs(withAccount - without) / Math.max(withAccount, without);
  console.log(`wrong password: median ${withAccount.toFixed(1)} ms over ${tries}`);
  console.log(`unknown e-mail: median ${without.toFixed(1)} ms over ${tries}`);
  console.log(`difference: ${(100 * difference).toFixed(1)} %`);
} finally {
  await server.kill();
  await rm(dataDir, { recursive: true, force: true });
}

/** Milliseconds until the refusal. */
async function timeOf(email: string, index: number): Promise<number> {
  const started = performance.now();
  const response = await fetch(server.url + paths.auth.signIn, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: server.url,
      'x-forwarded-for': `10.0.${Math.floor(index / 250)}.${index % 250}`,
    },
    body: JSON.stringify({ email, password: 'senhaErrada123' }),
  });
  await response.arrayBuffer();
  if (response.status !== 401) throw new Error(`A refused sign-in answered ${response.status}.`);
  return performance.now() - started;
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
