import { type Activity, activityTag } from '#contract/activity.ts';
import { paths } from '#contract/paths.ts';
import { startPostgres } from '#server/testing/peers/postgres.ts';
import { visitorAt } from '#server/testing/server.ts';
import { realIdentity, withFields } from '#server/testing/site-content.ts';
import { insertOnPostgres, insertOnSqlite } from '../baselines/inserts.ts';
import { content, fillActivities } from '../fill.ts';
import { against, figureOf, interleave, percentile, type Result, type Row, type Scale } from '../measure.ts';
import { admin, createCaller, load, type Subject, startInstances, startSubject } from '../subject.ts';

const list = 'mindActsList';
const items = paths.documents.activityItems(list);
const input = {
  axis: 'mind',
  title: 'Prática nova',
  url: 'https://youtu.be/abcdefghijk',
  content,
  image: '',
  audio: '',
};
const insertsPerRound = 2_000;
const editsPerRound = 300;
const publicationsPerRound = 5;

/** Measures how fast an admin creates activities one at a time. The server flushes each to disk first. */
export const creates: Row = {
  name: 'creates',
  about: 'creates per second by an admin, one after another; baseline: inserts by node:sqlite, each flushed',
  async run(scale) {
    const subject = await startSubject((database) => fillActivities(database, 100));
    const result = await measureCreates(scale, subject, async () =>
      insertOnSqlite(subject.dataDir, insertsPerRound, content),
    );
    return [{ ...result, goal: { atLeast: 0.25 } }];
  },
};

/** Measures the same on PostgreSQL. It has no goal, because both programs mostly wait for PostgreSQL. */
export const createsOnPostgres: Row = {
  name: 'creates-postgres',
  about: 'the same on a new PostgreSQL; baseline: a prepared insert by its driver alone',
  async run(scale) {
    const { url, stop } = await startPostgres({ durable: true });
    try {
      const subject = await startSubject((database) => fillActivities(database, 100), { databaseUrl: url });
      return [await measureCreates(scale, subject, () => insertOnPostgres(url, insertsPerRound, content))];
    } finally {
      await stop();
    }
  },
};

async function measureCreates(
  { rounds, seconds }: Scale,
  subject: Subject,
  baseline: () => Promise<number>,
): Promise<Result> {
  const headers = { 'content-type': 'application/json', cookie: subject.cookie, origin: subject.url };
  const body = JSON.stringify(input);
  try {
    const { perSecond } = await interleave(
      rounds,
      async () => {
        const asked = { seconds, method: 'POST' as const, connections: 1, status: 201, body, headers };
        return { perSecond: (await load(subject.url + items, asked)).perSecond };
      },
      async () => ({ perSecond: await baseline() }),
    );
    return { what: 'creates', unit: '/s', ...against('bare flushed insert', perSecond) };
  } finally {
    await subject.stop();
  }
}

/** Measures one edit in a list of 10,000 activities. The baseline is the same edit in a list of 100. */
export const edit: Row = {
  name: 'edit',
  about: 'p50 of one edit with 10,000 activities; baseline: the same with 100',
  run: ({ rounds }) => measureEdits(rounds, undefined, undefined),
};

/** Measures the same on PostgreSQL. */
export const editOnPostgres: Row = {
  name: 'edit-postgres',
  about: 'the same on two new PostgreSQL servers',
  async run({ rounds }) {
    const [forLarge, forSmall] = [
      await startPostgres({ durable: true }),
      await startPostgres({ durable: true }),
    ];
    try {
      return await measureEdits(rounds, forLarge.url, forSmall.url);
    } finally {
      await forLarge.stop();
      await forSmall.stop();
    }
  },
};

async function measureEdits(
  rounds: number,
  forLarge: string | undefined,
  forSmall: string | undefined,
): Promise<Result[]> {
  const [large, small] = [await startEditor(10_000, forLarge), await startEditor(100, forSmall)];
  try {
    const { ms } = await interleave(rounds, large.edit, small.edit);
    return [
      { what: '10,000 activities', unit: 'ms', ...against('100 activities', ms), goal: { atMost: 1.2 } },
    ];
  } finally {
    await large.stop();
    await small.stop();
  }
}

async function startEditor(count: number, databaseUrl: string | undefined) {
  const subject = await startSubject((database) => fillActivities(database, count), { databaseUrl });
  const caller = createCaller(subject.url, { cookie: subject.cookie });
  const { text } = await caller.call('GET', paths.documents.activities(list));
  let current = (JSON.parse(text) as Record<string, [Activity]>)[list]?.[0] as Activity;
  return {
    /** Edits the first activity again and again. @returns the p50 */
    async edit() {
      const times: number[] = [];
      for (let index = 0; index < editsPerRound; index += 1) {
        const { id, createdAt: _, updatedAt: __, ...fields } = current;
        const saved = await caller.call('PUT', paths.documents.activityItem(list, id), {
          body: JSON.stringify({ ...fields, title: `Prática mudada ${index}` }),
          headers: { 'if-match': activityTag(current) },
        });
        times.push(saved.ms);
        current = JSON.parse(saved.text) as Activity;
      }
      return { ms: percentile(times, 0.5) };
    },
    async stop() {
      caller.close();
      await subject.stop();
    },
  };
}

/** Measures the time between the request that publishes a new name and the first home pages that show it. */
export const publish: Row = {
  name: 'publish',
  about: 'a publication, until three instances on PostgreSQL and S3 serve it',
  async run({ rounds }) {
    const { instances, stop } = await startInstances(3);
    try {
      const url = instances[0]?.url ?? '';
      const { auth, site } = visitorAt(url, url).client;
      await auth.signIn({ email: admin.email, password: admin.password });
      const times: number[] = [];
      for (let count = 0; count < rounds * publicationsPerRound; count += 1) {
        const shortName = `Clínica ${count}`;
        await site.saveSection(withFields(await site.getDraft(), 'identity', { ...realIdentity, shortName }));
        const { tag } = await site.getDraft();
        const begun = performance.now();
        await site.publish(tag, { warningsConfirmed: true });
        await Promise.all(instances.map((instance) => untilServed(instance.url, shortName)));
        times.push(performance.now() - begun);
      }
      return [{ what: 'until all serve it', unit: 'ms', ours: figureOf(times), goal: { atMost: 1000 } }];
    } finally {
      await stop();
    }
  },
};

async function untilServed(url: string, text: string): Promise<void> {
  for (;;) {
    const response = await fetch(url);
    if ((await response.text()).includes(text)) return;
  }
}
