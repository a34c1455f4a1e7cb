import { wholeNumber } from '#web/components/whole-number.ts';

/** Returns a number with the noun that fits it. */
export const counted = (count: number, one: string, many: string) =>
  `${wholeNumber(count)} ${count === 1 ? one : many}`;
