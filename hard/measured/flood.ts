/**
 * Measures what a flood of requests costs other visitors. The clients of the flood run in a process of their
 * own, which is also this file: `node flood.ts <url> <connections> <file with the requests, as JSON>`.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { startProgram } from '#bench/subject.ts';
import { report } from '../figures.ts';
import { residentMegabytes, temporaryFolder } from '../machine.ts';
import { loadOf, readInTurns } from './attack.ts';
import { openConnection } from './reader.ts';

const mostRatio = 3;
const mostRatioToOrdinary = 1.25;
const mostMegabytes = 100;
const connections = 8;
/** In each turn, the flood runs for 4.5 seconds, so it runs for a minute in all. */
const turns = 14;
/** The server needs less to answer the requests of all connections after the flood has paused. */
const settleMs = 500;

type Flood = {
  /** The name of the attack in the table of figures. */
  attack: string;
  server: { url: string; pid: number };
  /** Paths, or paths with headers. The clients send these requests again and again, in this order. */
  requests: readonly (string | { path: string; headers: Record<string, string> })[];
};

/**
 * Sends requests on several connections without a pause, and asserts what other visitors notice: little, or
 * not much more than during as many requests for the home page, which alone can use the whole processor.
 */
export async function measureFlood(t: TestContext, { attack, server, requests }: Flood): Promise<void> {
  await readInTurns(server.url, [[]], 1);
  const before = residentMegabytes(server.pid);
  const control = await startFlood(t, server.url, ['/']);
  const flood = await startFlood(t, server.url, requests);
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, residentMegabytes(server.pid));
  }, 500);
  const [atRest, ordinary, during] = await readInTurns(
    server.url,
    [[], [control.load], [flood.load]],
    turns,
  ).finally(() => clearInterval(watch));
  for (const { load, stop } of [control, flood]) {
    load.resume();
    await stop();
  }
  const growth = most - before;
  report(
    `${attack}, p99 of the home page`,
    `${atRest.toFixed(2)} → ${during.toFixed(2)} ms (${ordinary.toFixed(2)} ms during requests for the home page)`,
    `× ${mostRatio}, or × ${mostRatioToOrdinary} of these requests`,
  );
  report(`${attack}, memory`, `+${growth.toFixed(0)} MB`, `${mostMegabytes} MB`);
  assert.ok(
    during <= Math.max(mostRatio * atRest, mostRatioToOrdinary * ordinary),
    `${atRest} → ${during} ms, ordinary ${ordinary} ms`,
  );
  assert.ok(growth <= mostMegabytes, `+${growth} MB`);
}

/** Starts the clients of a flood, which wait until their load resumes. */
async function startFlood(t: TestContext, url: string, requests: Flood['requests']) {
  const file = path.join(await temporaryFolder(t), 'requests.json');
  await writeFile(file, JSON.stringify(requests.map((one) => requestOf(url, one))));
  const { pid, stop } = await startProgram(import.meta.filename, url, String(connections), file);
  // Real clients run on other machines, so these must not delay the visitor's client on this one.
  setPriority(pid, constants.priority.PRIORITY_LOW);
  const load = loadOf(pid, settleMs);
  load.pause();
  return { load, stop };
}

function requestOf(url: string, one: Flood['requests'][number]): string {
  const { path, headers } = typeof one === 'string' ? { path: one, headers: {} } : one;
  const all = { host: new URL(url).host, 'accept-encoding': 'br', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

if (import.meta.main) {
  const [url = '', count = '', file = ''] = process.argv.slice(2);
  const requests: string[] = JSON.parse(readFileSync(file, 'utf8'));
  let sent = 0;
  console.log('ready');
  await Promise.all(
    Array.from({ length: Number(count) }, async () => {
      const connection = await openConnection(url);
      for (;;) {
        const request = requests[sent % requests.length] ?? '';
        sent += 1;
        const status = await connection.send(request);
        // A server that fails measures nothing. It may refuse requests, with 503 and others.
        if (status === 500) throw new Error(`The server failed: ${request}`);
      }
    }),
  );
}
