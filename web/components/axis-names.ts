import type { Axis } from '#contract/axes.ts';

/** The axes as the admin area's lists, forms and chips name them. */
export const axisNames: Record<Axis, string> = {
  mind: 'Mind',
  move: 'Move',
  nutri: 'Nutri',
  family: 'Family',
  career: 'Career',
  fun: 'Fun',
  values: 'Values',
};

/** The axes as patients and visitors read them. */
export const publicAxisNames: Record<Axis, string> = {
  mind: 'Mente',
  move: 'Movimento',
  nutri: 'Alimentação',
  family: 'Família',
  career: 'Carreira',
  fun: 'Lazer',
  values: 'Valores',
};
