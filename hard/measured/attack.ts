/** Measures the responses that other visitors get, without and with an attack. */
import { setTimeout } from 'node:timers/promises';
import { percentile } from '#bench/measure.ts';
import { keepProcessorsAwake } from './awake.ts';
import { openReader } from './reader.ts';

/** Milliseconds between two requests of the visitor. */
const pauseMs = 2;

/** Reads the home page on one connection until `during` ends. @returns the p99 in milliseconds */
export async function readHomePage(url: string, during: Promise<unknown>): Promise<number> {
  const visitor = await openVisitor(url);
  try {
    return percentile(await visitor.read(during), 0.99);
  } finally {
    visitor.close();
  }
}

/** Work that other clients or processes give to the server. */
export type Load = {
  resume(): void;
  pause(): void;
  /** Milliseconds for which the server keeps working after the load is paused. */
  settleMs: number;
};

/** Makes a load from a running process that gives work to the server. */
export function loadOf(pid: number, settleMs: number): Load {
  return { resume: () => process.kill(pid, 'SIGCONT'), pause: () => process.kill(pid, 'SIGSTOP'), settleMs };
}

const turnMs = 4_000;
/** Milliseconds from the start of a load until its effect is measured. */
const beginMs = 500;

/**
 * Reads the home page under each of several sets of loads, in turns. On a shared machine, response times
 * change from one minute to the next even without load, so two long measurements would not be comparable.
 * @param sets the loads of each set, all of them paused; an empty set is the server at rest
 * @param turns the number of turns. The first is a warm-up, which is not counted
 * @returns the p99 of each set in milliseconds
 */
export async function readInTurns<Sets extends Load[][]>(
  url: string,
  sets: [...Sets],
  turns = 6,
): Promise<{ [Place in keyof Sets]: number }> {
  const times = sets.map((): number[] => []);
  const visitor = await openVisitor(url);
  try {
    for (let turn = 0; turn < turns; turn += 1)
      for (const [place, loads] of sets.entries()) {
        for (const load of loads) load.resume();
        await visitor.read(setTimeout(beginMs));
        const read = await visitor.read(setTimeout(turnMs));
        if (turn > 0) times[place]?.push(...read);
        for (const load of loads) load.pause();
        await setTimeout(Math.max(0, ...loads.map(({ settleMs }) => settleMs)));
      }
  } finally {
    visitor.close();
  }
  return times.map((ofSet) => percentile(ofSet, 0.99)) as { [Place in keyof Sets]: number };
}

/** Opens the connection of a visitor to the home page, and keeps the processors awake until it is closed. */
async function openVisitor(url: string) {
  const awake = keepProcessorsAwake();
  const reader = await openReader(`${url}/`, { 'accept-encoding': 'br' });
  return {
    /** Reads until `during` ends. @returns the milliseconds of each read */
    async read(during: Promise<unknown>): Promise<number[]> {
      const times: number[] = [];
      let ended = false;
      const end = during.finally(() => {
        ended = true;
      });
      while (!ended) {
        times.push(await reader.read());
        await setTimeout(pauseMs);
      }
      await end;
      return times;
    },
    close() {
      reader.close();
      awake.stop();
    },
  };
}
