import { paths } from '#contract/paths.ts';
import { fillActivities } from '../fill-activities.ts';
import { interleavePairs, type Result, type Row } from '../measure.ts';
import { load, startBaseline, startSubject } from '../subject.ts';

const list = paths.documents.activities('mindActsList');
const headers = { 'accept-encoding': 'br' };

const steps = [
  ...[10, 100, 1_000, 10_000].map((activities) => ({ activities, connections: 32 })),
  ...[1, 8, 128].map((connections) => ({ activities: 100, connections })),
];

/** More, shorter rounds give a more stable ratio, because the processor's speed changes within seconds. */
const moreRounds = 2;
const shorter = 3;

/** Measures how the cost of the list grows with the library and with the number of connections. */
export const growth: Row = {
  name: 'growth',
  about: 'processor time of the list in Brotli, with 10 to 10,000 activities and with 1 to 128 connections',
  async run({ rounds, seconds }) {
    const results: Result[] = [];
    for (const { activities, connections } of steps) {
      const subject = await startSubject((database) => fillActivities(database, activities));
      const baseline = await startBaseline(subject.url + list, headers);
      const measure = (url: string, pid: number) => () =>
        load(url, { seconds: seconds / shorter, connections, headers, pid });
      try {
        const { ours, other, ratio } = await interleavePairs(
          { rounds: moreRounds * rounds },
          measure(subject.url + list, subject.pid),
          measure(baseline.url, baseline.pid),
        );
        const what = `${activities.toLocaleString('en')} activities, ${connections} connections`;
        const name = 'bare node:http';
        results.push({
          ...{ row: 'growth', what, unit: 'µs', ours: ours.cpuMicros, ratio: ratio.cpuMicros },
          against: { name, figure: other.cpuMicros },
        });
      } finally {
        await baseline.stop();
        await subject.stop();
      }
    }
    return results;
  },
};
