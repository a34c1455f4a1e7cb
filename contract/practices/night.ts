import { clockOf } from '../site/clock.ts';

/** What practices can help with at night: falling asleep, racing thoughts, a tight chest. */
export const nightNeeds = ['sleep', 'thoughts', 'chest'] as const;
export type NightNeed = (typeof nightNeeds)[number];

/** When the night begins and ends, in minutes since midnight. */
const [begins, ends] = [22 * 60, 5 * 60];

/** True from 22:00 to 5:00 in a time zone. */
export function isLate(timeZone: string, now: Date): boolean {
  const { minute } = clockOf(timeZone, now);
  return minute >= begins || minute < ends;
}
