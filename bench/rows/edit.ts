import { type Activity, activityTag } from '#contract/activity.ts';
import { paths } from '#contract/paths.ts';
import { startPostgres } from '#server/testing/postgres.ts';
import { fillActivities } from '../fill-activities.ts';
import { interleave, percentile, type Result, type Row, type Scale } from '../measure.ts';
import { createCaller, startSubject } from '../subject.ts';

const list = 'mindActsList';
const editsPerRound = 300;

/** Measures one edit in a list of 10,000 activities. The baseline is the same edit in a list of 100. */
export const edit: Row = {
  name: 'edit',
  about: 'p50 of one edit with 10,000 activities; baseline: the same with 100',
  run: async (scale) => [await measure(scale, 'edit', [undefined, undefined])],
};

/** Measures the same on PostgreSQL. */
export const editOnPostgres: Row = {
  name: 'edit-postgres',
  about: 'the same on two new PostgreSQL servers',
  async run(scale) {
    const servers = [await startPostgres({ durable: true }), await startPostgres({ durable: true })];
    try {
      return [await measure(scale, 'edit-postgres', [servers[0]?.url, servers[1]?.url])];
    } finally {
      for (const server of servers) await server.stop();
    }
  },
};

async function measure(
  { rounds }: Scale,
  row: string,
  [forLarge, forSmall]: [string | undefined, string | undefined],
): Promise<Result> {
  const [large, small] = [await startEditor(10_000, forLarge), await startEditor(100, forSmall)];
  try {
    const { ours, other, ratio } = await interleave({ rounds }, large.p50, small.p50);
    const against = { name: '100 activities', figure: other };
    return { row, what: '10,000 activities', unit: 'ms', ours, against, ratio, goal: { atMost: 1.2 } };
  } finally {
    await large.stop();
    await small.stop();
  }
}

async function startEditor(count: number, databaseUrl: string | undefined) {
  const subject = await startSubject((database) => fillActivities(database, count), {
    ...(databaseUrl !== undefined && { databaseUrl }),
  });
  const caller = createCaller(subject.url, { cookie: subject.cookie });
  const { text } = await caller.call('GET', paths.documents.activities(list));
  const [first] = (JSON.parse(text) as Record<string, Activity[]>)[list] ?? [];
  if (!first) throw new Error('The list is empty.');
  let current = first;
  return {
    async p50() {
      const times: number[] = [];
      for (let index = 0; index < editsPerRound; index += 1) {
        const { id, createdAt: _, updatedAt: __, ...input } = current;
        const saved = await caller.call('PUT', paths.documents.activityItem(list, id), {
          body: JSON.stringify({ ...input, title: `Prática mudada ${index}` }),
          headers: { 'if-match': activityTag(current) },
        });
        times.push(saved.ms);
        current = JSON.parse(saved.text) as Activity;
      }
      return percentile(times, 0.5);
    },
    async stop() {
      caller.close();
      await subject.stop();
    },
  };
}
