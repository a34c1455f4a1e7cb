import type { Axis } from '#contract/axes.ts';

/** The axes as lists, forms and chips name them. */
export const axisNames: Record<Axis, string> = {
  mind: 'Mind',
  move: 'Move',
  nutri: 'Nutri',
  family: 'Family',
  career: 'Career',
  fun: 'Fun',
  values: 'Values',
};
