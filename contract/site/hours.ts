/*
 * Arithmetic of opening hours. It is not in schedule.ts, because visitors' browsers must not load the schema.
 */

/** From minute `from` until before minute `to`, counted from the beginning of some day. */
export type Span = { from: number; to: number };

export const minutesPerDay = 24 * 60;

/** @param time `HH:MM` */
export const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** The hours of a day, in minutes since day 0 began. Hours that end before they begin pass midnight. */
export function spanOf({ opens, closes }: { opens: string; closes: string }, day: number): Span {
  const from = minuteOf(opens);
  const to = minuteOf(closes);
  const start = day * minutesPerDay;
  return { from: start + from, to: start + (to > from ? to : to + minutesPerDay) };
}

/** Leaves out the hours that an admin has begun to write: a preview of the draft contains them. */
export const finishedHours = <Hours extends { weekdays: unknown[]; opens: string; closes: string }>(
  days: readonly Hours[],
): Hours[] => days.filter((one) => one.weekdays.length > 0 && one.opens !== '' && one.closes !== '');
