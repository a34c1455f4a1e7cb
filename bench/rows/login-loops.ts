import { setTimeout } from 'node:timers/promises';
import { paths } from '#contract/paths.ts';
import { keepProcessorsAwake } from '../awake.ts';
import { fillActivities } from '../fill-activities.ts';
import { figureOf, percentile, type Row } from '../measure.ts';
import { openReader } from '../reader.ts';
import { startProgram, startSubject } from '../subject.ts';

const loops = 8;
/**
 * Parts of a round. Other load on the machine changes the p99, so only the part with the lowest p99 counts.
 */
const stretches = 8;
/** This row multiplies the number of rounds by this factor. */
const moreRounds = 2;
/** Milliseconds within which the server finishes the sign-ins in its queue. */
const calmMs = 1_000;

/** Measures how eight clients that try to sign in without pause delay one reader of the list. */
export const loginLoops: Row = {
  name: 'login-loops',
  about: `p99 of the public list while ${loops} clients sign in without pause; baseline: the same at rest`,
  async run({ rounds, seconds }) {
    // Every attempt has its own IP address, so that rate limits do not affect the result.
    const subject = await startSubject((database) => fillActivities(database, 100), {
      environment: { TRUSTED_PROXIES: '127.0.0.1,::1' },
    });
    const list = subject.url + paths.documents.activities('mindActsList');
    const reader = await openReader(list, { 'accept-encoding': 'br' });
    const awake = keepProcessorsAwake();
    let tries = 0;

    async function readFor(milliseconds: number): Promise<number> {
      const times: number[] = [];
      const until = performance.now() + milliseconds;
      while (performance.now() < until) times.push(await reader.read());
      return percentile(times, 0.99);
    }

    /** Measures alternately with and without sign-ins. @returns the lowest p99 of each */
    async function round(): Promise<{ busy: number; rest: number }> {
      const busy: number[] = [];
      const rest: number[] = [];
      const milliseconds = (seconds * 2_000) / stretches;
      for (let stretch = 0; stretch < stretches; stretch += 1) {
        const people = await startProgram('sign-in-loops.ts', subject.url, String(loops), String(tries));
        tries += 10_000;
        try {
          busy.push(await readFor(milliseconds));
        } finally {
          await people.stop();
        }
        await setTimeout(calmMs);
        rest.push(await readFor(milliseconds));
      }
      return { busy: Math.min(...busy), rest: Math.min(...rest) };
    }

    try {
      await round();
      const figures: { busy: number; rest: number }[] = [];
      for (let count = 0; count < moreRounds * rounds; count += 1) figures.push(await round());
      return [
        {
          row: 'login-loops',
          what: 'p99 of the list',
          unit: 'ms',
          ours: figureOf(figures.map(({ busy }) => busy)),
          against: { name: 'at rest', figure: figureOf(figures.map(({ rest }) => rest)) },
          ratio: figureOf(figures.map(({ busy, rest }) => busy / rest)),
          goal: { atMost: 2 },
        },
      ];
    } finally {
      awake.stop();
      reader.close();
      await subject.stop();
    }
  },
};
