import { setTimeout } from 'node:timers/promises';

/** One figure: the median of several runs, and how far they lie apart. */
export type Figure = { median: number; min: number; max: number };

/** One line of the report. */
export type Result = {
  row: string;
  what: string;
  unit: string;
  ours: Figure;
  /** What it is compared with, and its figure. */
  against?: { name: string; figure: Figure };
  /** Ours divided by the other, each pair of one round; without a peer absent. */
  ratio?: Figure;
  /** What is to be reached, of the ratio when there is one, else of our figure. */
  goal?: { atLeast?: number; atMost?: number };
};

/** A measurement by its name: what it measures, and its lines. */
export type Row = { name: string; about: string; run: (scale: Scale) => Promise<Result[]> };

/** How long to measure: `rounds` of each, each `seconds` long. */
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

/** Runs A B A B …, so that whatever else the machine does meets both; a first round of each is thrown away. */
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

/**
 * The same for two figures of each run, such as requests a second and processor time. The ratio of the second is
 * the other way round, so that with both of them more is better.
 */
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
      cpuMicros: figureOf(pairs.map(([a, b]) => b.cpuMicros / a.cpuMicros)),
    },
  };
}
type Load = { perSecond: number; cpuMicros: number };

/** Whether a line reaches its goal; `undefined` without one. */
export function reaches({ ours, ratio, goal }: Result): boolean | undefined {
  if (!goal) return undefined;
  const { median } = ratio ?? ours;
  return median >= (goal.atLeast ?? -Infinity) && median <= (goal.atMost ?? Infinity);
}
