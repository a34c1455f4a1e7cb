import { setTimeout } from 'node:timers/promises';
import { paths } from '#contract/paths.ts';
import { fillActivities } from '../fill-activities.ts';
import { interleave, type Row } from '../measure.ts';
import { load, residentMegabytes, startBaseline, startSubject } from '../subject.ts';

const list = paths.documents.activities('mindActsList');
const settleMs = 1_000;

/** Measures resident memory after load on the public list. */
export const memory: Row = {
  name: 'memory',
  about: 'resident memory after load on the public list; baseline: bare node:http under the same load',
  async run({ rounds, seconds }) {
    const { ours, other, ratio } = await interleave(
      { rounds: Math.min(rounds, 3) },
      async () => {
        const subject = await startSubject((database) => fillActivities(database, 100));
        return residentAfterLoad(subject, subject.url + list, seconds);
      },
      async () => {
        const subject = await startSubject((database) => fillActivities(database, 100));
        const baseline = await startBaseline(subject.url + list);
        await subject.stop();
        return residentAfterLoad(baseline, baseline.url, seconds);
      },
    );
    const against = { name: 'bare node:http', figure: other };
    return [{ row: 'memory', what: 'after load', unit: 'MB', ours, against, ratio, goal: { atMost: 1.6 } }];
  },
};

async function residentAfterLoad(
  program: { pid: number; stop(): Promise<void> },
  url: string,
  seconds: number,
): Promise<number> {
  try {
    await load(url, { seconds });
    await setTimeout(settleMs);
    return await residentMegabytes(program.pid);
  } finally {
    await program.stop();
  }
}
