import { paths } from '#contract/paths.ts';
import { content, fillActivities } from '../fill-activities.ts';
import { insertSynced } from '../limits/inserts.ts';
import { interleave, type Row } from '../measure.ts';
import { load, startSubject } from '../subject.ts';

const items = paths.documents.activityItems('mindActsList');
const input = {
  ...{
    axis: 'mind',
    title: 'Prática nova',
    url: 'https://youtu.be/abcdefghijk',
    content,
    image: '',
    audio: '',
  },
};
const insertsPerRound = 2_000;

/** Creates one after another, each on the disk before it is answered. */
export const creates: Row = {
  name: 'creates',
  about: 'creates a second, one after another by an admin, against an insert synced by node:sqlite alone',
  async run({ rounds, seconds }) {
    const subject = await startSubject((database) => fillActivities(database, 100));
    const asked = {
      ...{ method: 'POST' as const, connections: 1, status: 201, body: JSON.stringify(input) },
      headers: { 'content-type': 'application/json', cookie: subject.cookie, origin: subject.url },
    } satisfies Partial<Parameters<typeof load>[1]>;
    try {
      const { ours, other, ratio } = await interleave(
        { rounds },
        async () => (await load(subject.url + items, { ...asked, seconds })).perSecond,
        async () => insertSynced(subject.dataDir, insertsPerRound, content),
      );
      const against = { name: 'bare synced insert', figure: other };
      return [{ row: 'creates', what: 'sqlite', unit: '/s', ours, against, ratio, goal: { atLeast: 0.25 } }];
    } finally {
      await subject.stop();
    }
  },
};
