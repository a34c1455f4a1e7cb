import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { paths } from '#contract/paths.ts';
import type { Database } from '#server/database/connect.ts';
import { fillActivities } from '../fill.ts';
import { against, interleave, type Result, type Row } from '../measure.ts';
import { load, type Subject, startBaseline, startInstances, startSubject } from '../subject.ts';

const list = paths.documents.activities('mindActsList');
const assets = path.join(import.meta.dirname, '../../dist/site/static');
const fill = (database: Database) => fillActivities(database, 100);
const bare = 'bare node:http';
const brotli = { 'accept-encoding': 'br' };

/** Measures the public list in three forms: uncompressed, in Brotli, and not modified (304). */
export const publicList: Row = {
  name: 'public-list',
  about: 'processor time per response, 100 activities, 32 connections; baseline: bare node:http, same bytes',
  async run({ rounds, seconds }) {
    const subject = await startSubject(fill);
    const known = { 'if-none-match': await tagOf(subject.url + list) };
    const forms = [
      { what: 'identity', headers: {}, status: 200, atMost: 1.3 },
      { what: 'Brotli', headers: brotli, status: 200, atMost: 1.5 },
      { what: '304', headers: known, status: 304, atMost: 1.5 },
    ];
    const results: Result[] = [];
    try {
      for (const { what, headers, status, atMost } of forms) {
        const baseline = await startBaseline(subject.url + list, headers);
        try {
          const { perSecond, cpuMicros, busy } = await interleave(
            rounds,
            () => load(subject.url + list, { seconds, headers, status, pid: subject.pid }),
            () => load(baseline.url, { seconds, headers, status, pid: baseline.pid }),
          );
          results.push(
            { what, unit: 'req/s', ...against(bare, perSecond) },
            // A server that is less busy waits for the load generator, or for other programs.
            { what: `${what}, busy`, unit: '%', ...against(bare, busy) },
            { what: `${what}, processor`, unit: 'µs', ...against(bare, cpuMicros), goal: { atMost } },
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

/**
 * Measures the processor time of a public read with three instances on PostgreSQL and S3. The baseline is one
 * instance on SQLite. Every instance has 100 connections, so that it does not mostly wait for PostgreSQL.
 */
export const several: Row = {
  name: 'several',
  about: 'processor time per public read: three instances on PostgreSQL and S3; baseline: one on SQLite',
  async run({ rounds, seconds: longest }) {
    const seconds = Math.min(longest, 2);
    const one = await startSubject(fill);
    const group = await startInstances(3, fill);
    const [asset = ''] = (await readdir(path.join(assets, 'js'))).filter((name) => name.endsWith('.js'));
    const known = { 'if-none-match': await tagOf(one.url + list) };
    const reads = [
      { what: 'home page', where: '/', headers: brotli },
      { what: 'list', where: list, headers: brotli },
      { what: 'list, 304', where: list, headers: known, status: 304 },
      { what: 'practice page', where: '/practices/medida-1', headers: brotli },
      { what: 'static file', where: `/static/js/${asset}`, headers: brotli },
    ];
    const results: Result[] = [];
    try {
      for (const { what, where, headers, status = 200 } of reads) {
        const options = { seconds, headers, status, connections: 100 };
        const { cpuMicros } = await interleave(
          rounds,
          () => loadInTurns(group.instances, where, options),
          () => loadInTurns([one], where, options),
        );
        results.push({ what, unit: 'µs', ...against('one on SQLite', cpuMicros), goal: { atMost: 1.3 } });
      }
    } finally {
      await group.stop();
      await one.stop();
    }
    return results;
  },
};

/**
 * Loads one instance after the other, because instances on separate machines would not share processors. Each
 * instance has as much time to warm up as the only instance of the baseline.
 */
async function loadInTurns(
  instances: Subject[],
  where: string,
  options: { seconds: number; headers: Record<string, string>; status: number; connections: number },
) {
  let [requests, micros] = [0, 0];
  for (const { url, pid } of instances) {
    const { perSecond, cpuMicros } = await load(url + where, { ...options, pid });
    requests += perSecond;
    micros += cpuMicros * perSecond;
  }
  return { cpuMicros: micros / requests };
}

async function tagOf(url: string): Promise<string> {
  const response = await fetch(url);
  await response.arrayBuffer();
  return response.headers.get('etag') ?? '';
}
