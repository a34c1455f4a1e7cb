/** Formats months in the time zone of Brasília. The locale en-CA writes a month as `2026-11`. */
const calendar = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/Sao_Paulo',
  year: 'numeric',
  month: '2-digit',
});

/** Returns the month of a time in epoch milliseconds, such as `2026-11`. */
export const monthOf = (time: number): string => calendar.format(time);

/** Returns the month that is `count` months before another one. */
export function monthBefore(month: string, count: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 - count)).toISOString().slice(0, 'yyyy-mm'.length);
}
