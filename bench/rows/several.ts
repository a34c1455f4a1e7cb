import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { paths } from '#contract/paths.ts';
import type { Database } from '#server/database/connect.ts';
import { fillActivities } from '../fill-activities.ts';
import { type Instance, startInstances } from '../instances.ts';
import { type Figure, figureOf, interleavePairs, type Result, type Row } from '../measure.ts';
import { load, startSubject, treeCpuMicros } from '../subject.ts';

const row = 'several';
const assets = path.join(import.meta.dirname, '../../dist/site/static');
const fill = (database: Database) => fillActivities(database, 100);

/**
 * The number of connections to each instance. With several instances, each instance queries PostgreSQL for
 * the current versions of lists and content after a request has arrived. Concurrent requests share the query.
 * With one connection, every request has its own query. With 30 connections, an instance still waits for
 * PostgreSQL almost half of the time. Therefore, only the load with 100 connections has a goal.
 */
const loads = [{ connections: 100, goal: { atMost: 1.3 } }, { connections: 1 }];

/**
 * Measures the processor time of a public read with three instances on PostgreSQL and S3. The baseline is one
 * instance on SQLite. Every instance has the same number of connections.
 */
export const several: Row = {
  name: row,
  about: 'processor time per public read: three instances on PostgreSQL and S3; baseline: one on SQLite',
  async run({ rounds, seconds: longest }) {
    const seconds = Math.min(longest, 2);
    const one = await startSubject(fill);
    const group = await startInstances(3, fill);
    const { instances: three, postgres } = group;
    try {
      const results: Result[] = [];
      for (const { what, where, headers, status } of await readsOf(one.url)) {
        for (const { connections, goal } of loads) {
          const ask = (of: Instance[]) => () =>
            loadInTurns(of, where, { seconds, headers, status, connections });
          const database: number[] = [];
          const { ours, other, ratio } = await interleavePairs(
            { rounds },
            async () => {
              const before = await treeCpuMicros(postgres.pid());
              const figures = await ask(three)();
              const micros = (await treeCpuMicros(postgres.pid())) - before;
              database.push(micros / (figures.perSecond * seconds));
              return figures;
            },
            ask([one]),
          );
          const line = { row, unit: 'µs', against: { name: 'one on SQLite', figure: other.cpuMicros } };
          const name = `${what}, ${connections} conn.`;
          results.push(
            { ...line, what: name, ours: ours.cpuMicros, ratio: ratio.cpuMicros, ...(goal && { goal }) },
            { row, what: `${name}, PostgreSQL`, unit: 'µs', ours: withoutFirst(database) },
          );
        }
      }
      return results;
    } finally {
      await group.stop();
      await one.stop();
    }
  },
};

/** The public reads, as browsers send them. */
async function readsOf(url: string) {
  const br = { 'accept-encoding': 'br' };
  const list = paths.documents.activities('mindActsList');
  const tagged = await fetch(url + list);
  await tagged.arrayBuffer();
  const [asset = ''] = (await readdir(path.join(assets, 'js'))).filter((name) => name.endsWith('.js'));
  return [
    { what: 'home page', where: '/', headers: br, status: 200 },
    { what: 'list', where: list, headers: br, status: 200 },
    {
      what: 'list, 304',
      where: list,
      headers: { 'if-none-match': tagged.headers.get('etag') ?? '' },
      status: 304,
    },
    { what: 'practice page', where: '/practices/medida-1', headers: br, status: 200 },
    { what: 'static file', where: `/static/js/${asset}`, headers: br, status: 200 },
  ];
}

/**
 * Loads one instance after the other, because instances on separate machines would not share processors. Each
 * instance has as much time to warm up as the only instance of the baseline.
 * @param options `connections` and `seconds` are those of each instance
 * @returns `perSecond` of all instances together
 */
async function loadInTurns(
  targets: Instance[],
  where: string,
  options: { seconds: number; headers: Record<string, string>; status: number; connections: number },
) {
  let [requests, micros] = [0, 0];
  for (const { url, pid } of targets) {
    const { perSecond, cpuMicros } = await load(url + where, { ...options, pid });
    requests += perSecond * options.seconds;
    micros += cpuMicros * perSecond * options.seconds;
  }
  return { perSecond: requests / options.seconds, cpuMicros: micros / requests };
}

const withoutFirst = ([, ...rest]: number[]): Figure => figureOf(rest);
