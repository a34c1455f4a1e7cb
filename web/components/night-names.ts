import type { NightNeed } from '#contract/practices/night.ts';

/** What a person who looks for help at night would say. */
export const nightNames: Record<NightNeed, string> = {
  sleep: 'Não consigo dormir',
  thoughts: 'Cabeça acelerada',
  chest: 'Peito apertado',
};
