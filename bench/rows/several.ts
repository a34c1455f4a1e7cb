import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { paths } from '#contract/paths.ts';
import type { Database } from '#server/database/connect.ts';
import { startPostgres } from '#server/testing/postgres.ts';
import { startServerProcess } from '#server/testing/server-process.ts';
import { s3Environment, startSwift } from '#server/testing/swift.ts';
import { fillActivities } from '../fill-activities.ts';
import { type Figure, figureOf, interleavePairs, type Result, type Row } from '../measure.ts';
import { load, startSubject, treeCpuMicros } from '../subject.ts';

const row = 'several';
const instances = 3;
const assets = path.join(import.meta.dirname, '../../dist/site/static');
const fill = (database: Database) => fillActivities(database, 100);

type Target = { url: string; pid: number };

/**
 * Connections of each instance. Instances that must agree ask PostgreSQL for versions after a request has arrived,
 * and concurrent requests share that query. Only a busy instance has a goal: with 30 connections it waits for
 * PostgreSQL almost half of the time, and a single reader pays for the whole query.
 */
const loads = [{ connections: 100, goal: { atMost: 1.3 } }, { connections: 1 }];

/**
 * Measures the processor time of a public read with three instances on PostgreSQL and S3, and compares it
 * with that of one instance on SQLite. Every instance has the same number of connections.
 */
export const several: Row = {
  name: row,
  about: 'processor time per public read: three instances on PostgreSQL and S3; baseline: one on SQLite',
  async run({ rounds, seconds: longest }) {
    const seconds = Math.min(longest, 2);
    const undo: (() => Promise<unknown>)[] = [];
    try {
      const one = await startSubject(fill);
      undo.push(one.stop);
      const postgres = await startPostgres({ durable: true });
      undo.push(postgres.stop);
      const three = await startInstances(postgres.url, undo);

      const results: Result[] = [];
      for (const { what, where, headers, status } of await readsOf(one.url)) {
        for (const { connections, goal } of loads) {
          const ask = (of: Target[]) => () =>
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
      for (const step of undo.reverse()) await step();
    }
  },
};

async function startInstances(databaseUrl: string, undo: (() => Promise<unknown>)[]): Promise<Target[]> {
  const s3 = await startSwift();
  undo.push(s3.remove);
  const shared = s3Environment(s3);
  const first = await startSubject(fill, { databaseUrl, environment: shared });
  undo.push(first.stop);
  const targets: Target[] = [first];
  while (targets.length < instances) {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-bench-'));
    undo.push(() => rm(dataDir, { recursive: true, force: true }));
    const server = await startServerProcess(dataDir, {
      LOG_LEVEL: 'info',
      DATABASE_URL: databaseUrl,
      ...shared,
    });
    undo.push(server.kill);
    targets.push(server);
  }
  return targets;
}

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
 * Loads one instance after the other: on machines of their own, they would not share processors. Each has as much
 * time to become fast as the only instance of the baseline.
 * @param options `connections` and `seconds` of each
 * @returns `perSecond` of all instances together
 */
async function loadInTurns(
  targets: Target[],
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
