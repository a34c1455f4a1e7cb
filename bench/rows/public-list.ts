import { paths } from '#contract/paths.ts';
import { fillActivities } from '../fill-activities.ts';
import { interleavePairs, type Result, type Row } from '../measure.ts';
import { load, startBaseline, startSubject } from '../subject.ts';

const list = paths.documents.activities('mindActsList');

/** Measures the public list in three forms: uncompressed, in Brotli, and not modified (304). */
export const publicList: Row = {
  name: 'public-list',
  about:
    '100 activities of 1.5 kB, 32 connections, processor time per response; baseline: bare node:http, same bytes',
  async run({ rounds, seconds }) {
    const subject = await startSubject((database) => fillActivities(database, 100));
    const forms = [
      { what: 'identity', headers: {}, status: 200, goal: 1.3 },
      { what: 'brotli', headers: { 'accept-encoding': 'br' }, status: 200, goal: 1.5 },
      { what: '304', headers: { 'if-none-match': await tagOf(subject.url + list) }, status: 304, goal: 1.5 },
    ];
    const results: Result[] = [];
    try {
      for (const { what, headers, status, goal } of forms) {
        const baseline = await startBaseline(subject.url + list, headers);
        const measure = (url: string, pid: number) => () => load(url, { seconds, headers, status, pid });
        try {
          const { ours, other, ratio } = await interleavePairs(
            { rounds },
            measure(subject.url + list, subject.pid),
            measure(baseline.url, baseline.pid),
          );
          const row = 'public-list';
          const name = 'bare node:http';
          results.push(
            {
              ...{ row, what, unit: 'req/s', ours: ours.perSecond, ratio: ratio.perSecond },
              against: { name, figure: other.perSecond },
            },
            {
              ...{
                row,
                what: `${what}, processor`,
                unit: 'µs',
                ours: ours.cpuMicros,
                ratio: ratio.cpuMicros,
              },
              against: { name, figure: other.cpuMicros },
              // Requests per second have no goal. The load generator takes as much processor time as the
              // server, which hides differences.
              goal: { atMost: goal },
            },
          );
        } finally {
          await baseline.stop();
        }
      }
    } finally {
      await subject.stop();
    }
    return results;
  },
};

async function tagOf(url: string): Promise<string> {
  const response = await fetch(url);
  await response.arrayBuffer();
  return response.headers.get('etag') ?? '';
}
