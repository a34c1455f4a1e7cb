import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startServerProcess } from '#server/testing/server-process.ts';
import { interleave, type Row } from '../measure.ts';
import { startBaseline } from '../subject.ts';

/**
 * Measures the time from process start to the first 200. The first round, which is discarded, fills the data
 * folder.
 */
export const start: Row = {
  name: 'start',
  about: 'process start to first 200, and the difference to bare node:http',
  async run({ rounds }) {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-bench-'));
    try {
      const { ours, other } = await interleave(
        { rounds },
        () => timeOf(() => startServerProcess(dataDir, { LOG_LEVEL: 'info' })),
        () => timeOf(() => startBaseline()),
      );
      const above = {
        median: ours.median - other.median,
        min: ours.min - other.min,
        max: ours.max - other.max,
      };
      const against = { name: 'bare node:http', figure: other };
      return [
        { row: 'start', what: 'first 200', unit: 'ms', ours, against },
        { row: 'start', what: 'above the baseline', unit: 'ms', ours: above, goal: { atMost: 400 } },
      ];
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

async function timeOf(run: () => Promise<{ url: string; stop(): Promise<void> }>): Promise<number> {
  const started = performance.now();
  const server = await run();
  try {
    const response = await fetch(`${server.url}/healthz`);
    await response.arrayBuffer();
    return performance.now() - started;
  } finally {
    await server.stop();
  }
}
