import { setTimeout } from 'node:timers/promises';

/** The median, minimum and maximum of several runs. */
export type Figure = { median: number; min: number; max: number };

/** One line of the report. */
export type Result = {
  what: string;
  unit: string;
  ours: Figure;
  /** The baseline and its figure. */
  against?: { name: string; figure: Figure };
  /** The product's figure divided by the baseline's figure, for each round. Absent without a baseline. */
  ratio?: Figure;
  /** The goal for `ratio` if the result has a ratio, otherwise for `ours`. */
  goal?: { atLeast?: number; atMost?: number };
};

/** A named measurement. `run` returns the lines of the report. */
export type Row = { name: string; about: string; run: (scale: Scale) => Promise<Result[]> };

/** The number of rounds per program, and the seconds per round. A row may change both by a factor. */
export type Scale = { rounds: number; seconds: number };

const pauseMs = 200;

export function figureOf(samples: number[]): Figure {
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (place: number) => sorted[place] ?? Number.NaN;
  return {
    median: (at(Math.floor((sorted.length - 1) / 2)) + at(Math.floor(sorted.length / 2))) / 2,
    min: at(0),
    max: at(sorted.length - 1),
  };
}

/** @param part 0.95 for p95 */
export function percentile(samples: number[], part: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** Returns a function that makes a call and returns its milliseconds. */
export const timed = (call: () => Promise<unknown>) => async () => {
  const started = performance.now();
  await call();
  return performance.now() - started;
};

const calls = 40;

/**
 * Measures the p95 of several calls.
 * @param call returns milliseconds
 * @param before runs ahead of each call, and is not timed
 */
export async function p95(
  what: string,
  call: () => Promise<number>,
  atMost: number,
  before: () => Promise<void> = async () => {},
): Promise<Result> {
  const times: number[] = [];
  for (let index = -2; index < calls; index += 1) {
    await before();
    const ms = await call();
    if (index >= 0) times.push(ms);
  }
  return { what, unit: 'ms', ours: figureOf([percentile(times, 0.95)]), goal: { atMost } };
}

type Compared = { ours: Figure; other: Figure; ratio: Figure };

/**
 * Runs both programs in turns, so that other load on the machine affects both. Discards the first round.
 * @returns for each figure of a run, both sides and the ratio of each round
 */
export async function interleave<Name extends string>(
  rounds: number,
  ours: () => Promise<Record<Name, number>>,
  other: () => Promise<Record<Name, number>>,
): Promise<Record<Name, Compared>> {
  const pairs: [Record<Name, number>, Record<Name, number>][] = [];
  for (let round = -1; round < rounds; round += 1) {
    const pair: (typeof pairs)[number] = [await ours(), await other()];
    if (round >= 0) pairs.push(pair);
    await setTimeout(pauseMs);
  }
  const names = Object.keys(pairs[0]?.[0] ?? {}) as Name[];
  const compared = names.map((name) => [
    name,
    {
      ours: figureOf(pairs.map(([a]) => a[name])),
      other: figureOf(pairs.map(([, b]) => b[name])),
      ratio: figureOf(pairs.map(([a, b]) => a[name] / b[name])),
    },
  ]);
  return Object.fromEntries(compared) as Record<Name, Compared>;
}

/** The part of a result that comes from `interleave`. @param name the name of the baseline */
export const against = (name: string, { ours, other, ratio }: Compared) => ({
  ...{ ours, ratio, against: { name, figure: other } },
});

/** True if a result reaches its goal; `undefined` without a goal. */
export function reaches({ ours, ratio, goal }: Result): boolean | undefined {
  if (!goal) return undefined;
  const { median } = ratio ?? ours;
  return median >= (goal.atLeast ?? -Infinity) && median <= (goal.atMost ?? Infinity);
}
