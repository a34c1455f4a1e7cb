import type { Axis } from '#contract/axes.ts';

/** The names of the axes in the lists, forms and chips of the admin area. */
export const axisNames: Record<Axis, string> = {
  mind: 'Mind',
  move: 'Move',
  nutri: 'Nutri',
  family: 'Family',
  career: 'Career',
  fun: 'Fun',
  values: 'Values',
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
