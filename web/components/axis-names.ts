import type { Axis } from '#contract/axes.ts';

/** The names of the axes in the admin area. The specification names the four lists in English. */
export const axisNames: Record<Axis, string> = {
  mind: 'Mind · Mente',
  move: 'Move · Movimento',
  nutri: 'Nutri · Alimentação',
  family: 'Família',
  career: 'Carreira',
  fun: 'Lazer',
  values: 'Values · Valores',
};

/** The names of the axes for patients and visitors. */
export const publicAxisNames: Record<Axis, string> = {
  mind: 'Mente',
  move: 'Movimento',
  nutri: 'Alimentação',
  family: 'Família',
  career: 'Carreira',
  fun: 'Lazer',
  values: 'Valores',
};
