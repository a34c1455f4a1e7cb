/**
 * Formats a whole number of at least 0: `1.234`. `toLocaleString` does the same, but browsers need 20 ms for
 * its first call, on a phone four times as long.
 */
export function wholeNumber(number: number): string {
  let text = String(number);
  for (let place = text.length - 3; place > 0; place -= 3)
    text = `${text.slice(0, place)}.${text.slice(place)}`;
  return text;
}

/** Returns a number with the noun that fits it. */
export const counted = (count: number, one: string, many: string) =>
  `${wholeNumber(count)} ${count === 1 ? one : many}`;
