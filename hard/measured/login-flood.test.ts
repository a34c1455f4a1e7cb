import assert from 'node:assert/strict';
import path from 'node:path';
import { it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { startProgram } from '#bench/subject.ts';
import { paths } from '#contract/paths.ts';
import { visitorAt } from '#server/testing/server.ts';
import { startServerProcess } from '#server/testing/server-process.ts';
import { report } from '../figures.ts';
import { residentMegabytes, temporaryFolder } from '../machine.ts';
import { loadOf, readInTurns } from './attack.ts';

const signIns = 200;
const mostMegabytes = 150;
const mostRatio = 3;
/** Pause of a client after a 503. It is shorter than the `Retry-After`. */
const pauseMs = 250;
/** The longest wait for the queue of passwords, and the time that hashing a full queue takes. */
const queueMs = 9_000;

it(`serves pages, and users who were here before, while ${signIns} strangers sign in at once`, async (t) => {
  const server = await startServerProcess(await temporaryFolder(t), { TRUSTED_PROXIES: 'loopback' });
  t.after(() => server.kill());
  const account = { email: 'ana@exemplo.com.br', password: 'senha12345' };
  const ana = visitorAt(server.url, server.url);
  await ana.client.auth.signUp({ displayName: 'Ana', ...account });
  const before = residentMegabytes(server.pid);
  const flood = await startProgram(
    path.join(import.meta.dirname, 'sign-in-loops.ts'),
    server.url,
    String(signIns),
    '0',
    String(pauseMs),
  );
  const load = loadOf(flood.pid, queueMs);
  load.pause();
  await setTimeout(queueMs);
  const [atRest, during] = await readInTurns(server.url, [[], [load]]);
  const growth = residentMegabytes(server.pid) - before;
  load.resume();
  await queueIsFull(server.url);
  await ana.client.auth.signOut();
  await ana.client.auth.signIn(account);
  // Before the server, because the program of the flood fails when the server closes its connections.
  await flood.stop();

  report(
    `${signIns} sign-ins at once, p99 of the home page`,
    `${atRest.toFixed(2)} → ${during.toFixed(2)} ms`,
    `× ${mostRatio}`,
  );
  report(`${signIns} sign-ins at once, memory`, `+${growth.toFixed(0)} MB`, `${mostMegabytes} MB`);
  assert.ok(during <= mostRatio * atRest, `${atRest} → ${during} ms`);
  assert.ok(growth < mostMegabytes, `${growth} MB`);
});

/** Waits until a stranger's sign-in is refused. */
async function queueIsFull(url: string): Promise<void> {
  const stranger = { email: 'estranha@exemplo.com.br', password: 'senhaErrada123' };
  for (;;) {
    const response = await fetch(url + paths.auth.signIn, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify(stranger),
    });
    if (response.status === 503) return;
    // A 429 would mean that the rate limit (ten attempts) refused the stranger before the queue was full.
    assert.equal(response.status, 401);
  }
}
