import { paths } from '#contract/paths.ts';
import { fillActivities } from '../fill-activities.ts';
import { interleave, percentile, type Row } from '../measure.ts';
import { createCaller, startProgram, startSubject } from '../subject.ts';

const loops = 8;
/** A slowest hundredth jumps more than a mean: twice as long and twice as many rounds as elsewhere. */
const patience = 2;
const list = paths.documents.activities('mindActsList');

/** What eight people who sign in again and again do to somebody who reads the list. */
export const loginLoops: Row = {
  name: 'login-loops',
  about: `p99 of the public list while ${loops} sign-ins are always under way, against the same at rest`,
  async run({ rounds, seconds }) {
    // Every try comes from an address of its own, as a proxy reports it: limits are not what is measured.
    const subject = await startSubject((database) => fillActivities(database, 100), {
      environment: { TRUSTED_PROXIES: '127.0.0.1,::1' },
    });
    const caller = createCaller(subject.url, { 'accept-encoding': 'br' });
    const p99 = async () => {
      const times: number[] = [];
      const until = performance.now() + patience * seconds * 1_000;
      while (performance.now() < until) times.push((await caller.call('GET', list)).ms);
      return percentile(times, 0.99);
    };
    let tries = 0;
    const whilePeopleSignIn = async () => {
      const people = await startProgram('sign-in-loops.ts', subject.url, String(loops), String(tries));
      tries += 10_000;
      try {
        return await p99();
      } finally {
        await people.stop();
      }
    };
    try {
      const { ours, other, ratio } = await interleave({ rounds: patience * rounds }, whilePeopleSignIn, p99);
      const against = { name: 'at rest', figure: other };
      return [
        {
          row: 'login-loops',
          what: 'p99 of the list',
          unit: 'ms',
          ours,
          against,
          ratio,
          goal: { atMost: 2 },
        },
      ];
    } finally {
      caller.close();
      await subject.stop();
    }
  },
};
