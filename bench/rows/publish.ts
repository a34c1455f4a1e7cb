import { visitorAt } from '#server/testing/server.ts';
import { realIdentity, withFields } from '#server/testing/site-content.ts';
import { startInstances } from '../instances.ts';
import { figureOf, type Row } from '../measure.ts';
import { admin } from '../subject.ts';

const publicationsPerRound = 5;

/** Measures the time between the request that publishes a new name and the first home pages that show it. */
export const publish: Row = {
  name: 'publish',
  about: 'a publication, until three instances on PostgreSQL and S3 serve it',
  async run({ rounds }) {
    const { instances, stop } = await startInstances(3);
    try {
      const [first] = instances.map(({ url }) => visitorAt(url, url));
      if (!first) throw new Error('There is no instance.');
      const { auth, site } = first.client;
      await auth.signIn({ email: admin.email, password: admin.password });
      const times: number[] = [];
      for (let count = 0; count < rounds * publicationsPerRound; count += 1) {
        const shortName = `Clínica ${count}`;
        await site.saveSection(withFields(await site.getDraft(), 'identity', { ...realIdentity, shortName }));
        const { tag } = await site.getDraft();
        const begun = performance.now();
        await site.publish(tag, { warningsConfirmed: true });
        await Promise.all(instances.map(({ url }) => untilServed(url, shortName)));
        times.push(performance.now() - begun);
      }
      return [
        {
          row: 'publish',
          what: 'until all serve it',
          unit: 'ms',
          ours: figureOf(times),
          goal: { atMost: 1000 },
        },
      ];
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
