import { paths } from '#contract/paths.ts';
import { content, fillActivities } from '../fill-activities.ts';
import { insertSynced } from '../limits/inserts.ts';
import { interleave, type Row } from '../measure.ts';
import { createCaller, startSubject } from '../subject.ts';

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
    const caller = createCaller(subject.url, { cookie: subject.cookie });
    const body = JSON.stringify(input);
    try {
      const { ours, other, ratio } = await interleave(
        { rounds },
        async () => {
          const started = performance.now();
          let count = 0;
          for (; performance.now() - started < seconds * 1_000; count += 1)
            await caller.call('POST', items, { body, status: 201 });
          return (count * 1_000) / (performance.now() - started);
        },
        async () => insertSynced(subject.dataDir, insertsPerRound, content),
      );
      const against = { name: 'bare synced insert', figure: other };
      return [{ row: 'creates', what: 'sqlite', unit: '/s', ours, against, ratio, goal: { atLeast: 0.25 } }];
    } finally {
      caller.close();
      await subject.stop();
    }
  },
};
