import type { NightNeed } from '#contract/practices/night.ts';

/** What a visitor may need help with at night, in a visitor's own words. */
export const nightNames: Record<NightNeed, string> = {
  sleep: 'Não consigo dormir',
  thoughts: 'Cabeça acelerada',
  chest: 'Peito apertado',
};
