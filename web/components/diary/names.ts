import type { formAxes } from '#contract/axes.ts';

/** The steps of "Quanto isso ocupa você?", from 1 to 5. */
export const intensityNames = ['quase nada', 'um pouco', 'mais ou menos', 'bastante', 'quase tudo'] as const;

/** The values toward which a step leads, as the patient reads them. */
export const stepNames: Record<(typeof formAxes)[number], string> = {
  family: 'Família',
  career: 'Trabalho e estudo',
  fun: 'Lazer',
  mind: 'Mente',
  move: 'Movimento',
  nutri: 'Alimentação',
};
