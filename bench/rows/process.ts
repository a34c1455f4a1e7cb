import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { paths } from '#contract/paths.ts';
import { startServerProcess } from '#server/testing/server-process.ts';
import { fillActivities } from '../fill.ts';
import { against, type Figure, interleave, type Row } from '../measure.ts';
import { load, residentMegabytes, startBaseline, startSubject } from '../subject.ts';

const list = paths.documents.activities('mindActsList');
const settleMs = 1_000;

/** Measures the time from process start to the first 200. The discarded first round fills the data folder. */
export const start: Row = {
  name: 'start',
  about: 'process start to first 200, and the difference to bare node:http',
  async run({ rounds }) {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-bench-'));
    try {
      const { ms } = await interleave(
        rounds,
        () => timeOf(() => startServerProcess(dataDir, { LOG_LEVEL: 'info' })),
        () => timeOf(() => startBaseline()),
      );
      const { ours, other } = ms;
      const less = (name: keyof Figure) => ours[name] - other[name];
      const more = { median: less('median'), min: less('min'), max: less('max') };
      return [
        { what: 'first 200', unit: 'ms', ours, against: { name: 'bare node:http', figure: other } },
        { what: 'more than the baseline', unit: 'ms', ours: more, goal: { atMost: 450 } },
      ];
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

/** Measures resident memory after load on the public list. */
export const memory: Row = {
  name: 'memory',
  about: 'resident memory after load on the public list; baseline: bare node:http under the same load',
  async run({ rounds, seconds }) {
    const fill = (database: Parameters<typeof fillActivities>[0]) => fillActivities(database, 100);
    const { mb } = await interleave(
      Math.min(rounds, 3),
      async () => {
        const subject = await startSubject(fill);
        return residentAfterLoad(subject, subject.url + list, seconds);
      },
      async () => {
        const subject = await startSubject(fill);
        const baseline = await startBaseline(subject.url + list);
        await subject.stop();
        return residentAfterLoad(baseline, baseline.url, seconds);
      },
    );
    return [{ what: 'after load', unit: 'MB', ...against('bare node:http', mb), goal: { atMost: 1.7 } }];
  },
};

async function timeOf(run: () => Promise<{ url: string; stop(): Promise<void> }>) {
  const started = performance.now();
  const server = await run();
  try {
    const response = await fetch(`${server.url}/healthz`);
    await response.arrayBuffer();
    return { ms: performance.now() - started };
  } finally {
    await server.stop();
  }
}

async function residentAfterLoad(
  program: { pid: number; stop(): Promise<void> },
  url: string,
  seconds: number,
) {
  try {
    await load(url, { seconds, pid: program.pid });
    await setTimeout(settleMs);
    return { mb: await residentMegabytes(program.pid) };
  } finally {
    await program.stop();
  }
}
