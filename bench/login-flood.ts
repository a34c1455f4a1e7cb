/**
 * Measures the effect of a flood of sign-ins: the response times of the public list and the home page, and
 * the server's memory, at rest and during 200 concurrent sign-ins. Run `node bench/login-flood.ts`.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { paths } from '#contract/paths.ts';
import { startServerProcess } from '#server/testing/server-process.ts';
import { trySignIn } from './try-sign-in.ts';

const parallelLogins = 200;
const phaseMs = 10_000;
const dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-bench-'));
const server = await startServerProcess(dataDir, { TRUSTED_PROXIES: '127.0.0.1,::1' });
const pages = ['/', paths.documents.activities('mindActsList')];

try {
  await readPages(1_000); // warms up
  const idle = await readPages(phaseMs);
  const before = await residentMegabytes();
  let flooding = true;
  const statuses = new Map<number, number>();
  let attempt = 0;
  const flood = Array.from({ length: parallelLogins }, async () => {
    while (flooding) {
      attempt += 1;
      const status = await signIn(attempt);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  });
  const flooded = await readPages(phaseMs);
  const after = await residentMegabytes();
  flooding = false;
  await Promise.all(flood);
  for (const page of pages) {
    const [calm, busy] = [idle.get(page) ?? [], flooded.get(page) ?? []];
    console.log(
      `${page}: p99 ${percentile(calm, 0.99)} ms idle, ${percentile(busy, 0.99)} ms under the flood ` +
        `(p50 ${percentile(calm, 0.5)} and ${percentile(busy, 0.5)} ms)`,
    );
  }
  console.log(
    `responses to sign-ins: ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')}`,
  );
  console.log(`memory: ${before} MB before, ${after} MB under the flood`);
} finally {
  await server.kill();
  await rm(dataDir, { recursive: true, force: true });
}

/** Reads each page repeatedly, one request at a time. Returns milliseconds by page. */
async function readPages(durationMs: number): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>();
  const until = performance.now() + durationMs;
  await Promise.all(
    pages.map(async (page) => {
      const own: number[] = [];
      times.set(page, own);
      while (performance.now() < until) {
        const started = performance.now();
        const response = await fetch(server.url + page);
        await response.arrayBuffer();
        if (!response.ok) throw new Error(`${page} returned ${response.status}.`);
        own.push(performance.now() - started);
      }
    }),
  );
  return times;
}

/** After a 503 the client waits for a shorter time than `Retry-After` asks for. */
async function signIn(number: number): Promise<number> {
  const status = await trySignIn(server.url, number);
  if (status === 503) await new Promise((resolve) => setTimeout(resolve, 250));
  return status;
}

async function residentMegabytes(): Promise<number> {
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

function percentile(times: number[], part: number): string {
  const sorted = times.toSorted((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(1);
}
