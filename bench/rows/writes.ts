import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Activity, activityTag } from '#contract/activity.ts';
import { paths } from '#contract/paths.ts';
import { realIdentity, withFields } from '#server/testing/site-content.ts';
import { content, fillActivities } from '../fill.ts';
import { against, figureOf, interleave, percentile, type Row, timed } from '../measure.ts';
import { clientOf, createCaller, type Subject, startInstances, startSubject } from '../subject.ts';

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
const insertsPerRound = 1_500;
const editsPerRound = 300;
const publicationsPerRound = 5;

/** Measures how fast an admin creates activities one at a time. The server flushes each to disk first. */
export const creates: Row = {
  name: 'creates',
  about: 'creates per second by an admin, one after another; baseline: inserts by node:sqlite, each flushed',
  async run({ rounds }) {
    const subject = await startSubject((database) => fillActivities(database, 100));
    const caller = createCaller(subject.url, { cookie: subject.cookie });
    const body = JSON.stringify(input);
    const createAll = timed(async () => {
      for (let count = 0; count < insertsPerRound; count += 1) await caller.call('POST', items, { body });
    });
    try {
      const { perSecond } = await interleave(
        rounds,
        async () => ({ perSecond: (insertsPerRound * 1_000) / (await createAll()) }),
        async () => ({ perSecond: insertOnSqlite(subject.dataDir, insertsPerRound, content) }),
      );
      const compared = against('bare flushed insert', perSecond);
      return [{ what: 'creates', unit: '/s', ...compared, goal: { atLeast: 0.25 } }];
    } finally {
      caller.close();
      await subject.stop();
    }
  },
};

/** Inserts rows with node:sqlite alone, each flushed to disk. @returns inserts per second */
function insertOnSqlite(folder: string, count: number, text: string): number {
  const database = new DatabaseSync(path.join(folder, `baseline-${process.hrtime.bigint()}.sqlite`));
  try {
    database.exec('pragma journal_mode = wal; pragma synchronous = full;');
    database.exec(
      'create table activities (id text primary key, title text, url text, content text, createdAt integer)',
    );
    const insert = database.prepare('insert into activities values (?, ?, ?, ?, ?)');
    const started = performance.now();
    for (let index = 0; index < count; index += 1)
      insert.run(`id-${index}`, 'Um título', 'https://youtu.be/abcdefghijk', text, index);
    return (count * 1_000) / (performance.now() - started);
  } finally {
    database.close();
  }
}

/** Measures one edit in a list of 10,000 activities. The baseline is the same edit in a list of 100. */
export const edit: Row = {
  name: 'edit',
  about: 'p50 of one edit with 10,000 activities; baseline: the same with 100',
  async run({ rounds }) {
    const [large, small] = [await startEditor(10_000), await startEditor(100)];
    try {
      const { ms } = await interleave(rounds, large.edit, small.edit);
      const compared = against('100 activities', ms);
      return [{ what: '10,000 activities', unit: 'ms', ...compared, goal: { atMost: 1.2 } }];
    } finally {
      await large.stop();
      await small.stop();
    }
  },
};

async function startEditor(count: number) {
  const subject = await startSubject((database) => fillActivities(database, count));
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
      const { site } = clientOf(instances[0] as Subject);
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
