import { setTimeout } from 'node:timers/promises';

/** The median, minimum and maximum of several runs. */
export type Figure = { median: number; min: number; max: number };

/** One line of the report. */
export type Result = {
  row: string;
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

/** Runs both programs in turns, so that other load on the machine affects both. Discards the first round. */
export async function interleave(
  { rounds }: Pick<Scale, 'rounds'>,
  ours: () => Promise<number>,
  other: () => Promise<number>,
): Promise<{ ours: Figure; other: Figure; ratio: Figure }> {
  const pairs: [number, number][] = [];
  for (let round = -1; round < rounds; round += 1) {
    const pair: [number, number] = [await ours(), await other()];
    if (round >= 0) pairs.push(pair);
    await setTimeout(pauseMs);
  }
  return {
    ours: figureOf(pairs.map(([a]) => a)),
    other: figureOf(pairs.map(([, b]) => b)),
    ratio: figureOf(pairs.map(([a, b]) => a / b)),
  };
}

/** Like `interleave`, for runs with two figures: requests per second and processor time. */
export async function interleavePairs(
  { rounds }: Pick<Scale, 'rounds'>,
  ours: () => Promise<Load>,
  other: () => Promise<Load>,
) {
  const pairs: [Load, Load][] = [];
  for (let round = -1; round < rounds; round += 1) {
    const pair: [Load, Load] = [await ours(), await other()];
    if (round >= 0) pairs.push(pair);
    await setTimeout(pauseMs);
  }
  const side = (index: 0 | 1) => ({
    perSecond: figureOf(pairs.map((pair) => pair[index].perSecond)),
    cpuMicros: figureOf(pairs.map((pair) => pair[index].cpuMicros)),
  });
  return {
    ours: side(0),
    other: side(1),
    ratio: {
      perSecond: figureOf(pairs.map(([a, b]) => a.perSecond / b.perSecond)),
      cpuMicros: figureOf(pairs.map(([a, b]) => a.cpuMicros / b.cpuMicros)),
    },
  };
}
type Load = { perSecond: number; cpuMicros: number };

/** True if a result reaches its goal; `undefined` without a goal. */
export function reaches({ ours, ratio, goal }: Result): boolean | undefined {
  if (!goal) return undefined;
  const { median } = ratio ?? ours;
  return median >= (goal.atLeast ?? -Infinity) && median <= (goal.atMost ?? Infinity);
}
