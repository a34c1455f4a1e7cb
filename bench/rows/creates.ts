import { paths } from '#contract/paths.ts';
import { startPostgres } from '#server/testing/postgres.ts';
import { insertOnPostgres, insertOnSqlite } from '../baselines/inserts.ts';
import { content, fillActivities } from '../fill-activities.ts';
import { interleave, type Result, type Row, type Scale } from '../measure.ts';
import { load, type Subject, startSubject } from '../subject.ts';

const items = paths.documents.activityItems('mindActsList');
const input = {
  axis: 'mind',
  title: 'Prática nova',
  url: 'https://youtu.be/abcdefghijk',
  content,
  image: '',
  audio: '',
};
const insertsPerRound = 2_000;
const fill: Parameters<typeof startSubject>[0] = (database) => fillActivities(database, 100);

/** Measures how fast an admin creates activities one at a time. The server flushes each to disk first. */
export const creates: Row = {
  name: 'creates',
  about: 'creates per second by an admin, one after another; baseline: inserts by node:sqlite, each flushed',
  async run(scale) {
    const subject = await startSubject(fill);
    const baseline = async () => insertOnSqlite(subject.dataDir, insertsPerRound, content);
    return [{ ...(await measure(scale, subject, baseline)), row: 'creates', goal: { atLeast: 0.25 } }];
  },
};

/** Measures the same on PostgreSQL. It has no goal, because both programs mostly wait for PostgreSQL. */
export const createsOnPostgres: Row = {
  name: 'creates-postgres',
  about: 'the same on a new PostgreSQL; baseline: a prepared insert by its driver alone',
  async run(scale) {
    const server = await startPostgres({ durable: true });
    try {
      const subject = await startSubject(fill, { databaseUrl: server.url });
      const baseline = async () => insertOnPostgres(server.url, insertsPerRound, content);
      return [{ ...(await measure(scale, subject, baseline)), row: 'creates-postgres' }];
    } finally {
      await server.stop();
    }
  },
};

async function measure(
  { rounds, seconds }: Scale,
  subject: Subject,
  baseline: () => Promise<number>,
): Promise<Omit<Result, 'row'>> {
  const asked = {
    ...{ method: 'POST' as const, connections: 1, status: 201, body: JSON.stringify(input) },
    headers: { 'content-type': 'application/json', cookie: subject.cookie, origin: subject.url },
  };
  try {
    const { ours, other, ratio } = await interleave(
      { rounds },
      async () => (await load(subject.url + items, { ...asked, seconds })).perSecond,
      baseline,
    );
    return {
      what: 'creates',
      unit: '/s',
      ours,
      against: { name: 'bare flushed insert', figure: other },
      ratio,
    };
  } finally {
    await subject.stop();
  }
}
