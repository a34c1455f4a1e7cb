import type { NightNeed } from '#contract/practices/night.ts';

/** The needs at night, in the words of a visitor who looks for help. */
export const nightNames: Record<NightNeed, string> = {
  sleep: 'Não consigo dormir',
  thoughts: 'Cabeça acelerada',
  chest: 'Peito apertado',
};
