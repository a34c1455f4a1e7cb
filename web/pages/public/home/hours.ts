import { monthNames } from '#contract/calendar.ts';
import { finishedHours, minuteOf } from '#contract/site/hours.ts';
import type { Identity } from '#contract/site/identity.ts';
import type { ClosedDays, OpeningHours, Weekday } from '#contract/site/schedule.ts';

export const weekdayNames: Record<Weekday, ['na' | 'no', string]> = {
  mon: ['na', 'segunda'],
  tue: ['na', 'terça'],
  wed: ['na', 'quarta'],
  thu: ['na', 'quinta'],
  fri: ['na', 'sexta'],
  sat: ['no', 'sábado'],
  sun: ['no', 'domingo'],
};
const week = Object.keys(weekdayNames) as Weekday[];

/** The usual hours in a sentence without its full stop: "Segunda a quinta, das 9h às 18h". */
export function usualHours({ schedule, hours }: Pick<Identity, 'schedule' | 'hours'>): string {
  const days = finishedHours(schedule.days);
  return days.length > 0 ? hoursSentence(days) : hours.replace(/\.$/, '');
}

/** "Segunda a sexta, das 8h às 12h e das 14h às 18h; sábado, das 18h às 2h". */
function hoursSentence(days: OpeningHours[]): string {
  const groups = new Map<string, OpeningHours[]>();
  for (const hours of days) {
    const names = namesOf(hours.weekdays);
    groups.set(names, [...(groups.get(names) ?? []), hours]);
  }
  const sentence = [...groups]
    .map(([names, hours]) => {
      const inOrder = hours.sort((one, other) => (one.opens < other.opens ? -1 : 1));
      return `${names}, ${listed(inOrder.map(fromTo))}`;
    })
    .join('; ');
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function fromTo({ opens, closes }: OpeningHours): string {
  if (opens === '00:00' && closes === '00:00') return '24 horas';
  const [from, to] = [minuteOf(opens), minuteOf(closes)];
  const isOne = (minute: number) => minute < 120 && minute >= 60;
  const begin = from === 0 ? 'da meia-noite' : `${isOne(from) ? 'da' : 'das'} ${hourName(from, '')}`;
  const end = to === 0 ? 'à meia-noite' : `${isOne(to) ? 'à' : 'às'} ${hourName(to, '')}`;
  return `${begin} ${end}`;
}

/** "segunda a sexta", "terça e quinta", "todos os dias". */
function namesOf(weekdays: Weekday[]): string {
  const places = weekdays.map((day) => week.indexOf(day)).sort((one, other) => one - other);
  if (places.length === week.length) return 'todos os dias';
  const nameAt = (place: number) => weekdayNames[week[place] as Weekday][1];
  const [first = 0] = places;
  const last = places.at(-1) ?? first;
  if (places.length > 2 && last - first === places.length - 1) return `${nameAt(first)} a ${nameAt(last)}`;
  return listed(places.map(nameAt));
}

const listed = (words: string[]) =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} e ${words.at(-1)}`;

/** "Sem atendimento de 20 de dezembro a 5 de janeiro". */
export const closedSentence = ({ from, until }: ClosedDays): string =>
  until === '' || until === from
    ? `Sem atendimento em ${dateName(from)}`
    : `Sem atendimento de ${dateName(from)} a ${dateName(until)}`;

/** Formats `2026-12-25` as "25 de dezembro". */
export function dateName(date: string): string {
  const [, month, day] = date.split('-').map(Number);
  return `${day === 1 ? '1º' : day} de ${monthNames[(month ?? 1) - 1]}`;
}

/** Formats a minute of a day: `9h`, `14h30`. @param midnight the words for minute 0 */
export function hourName(minutes: number, midnight: string): string {
  const [hour, minute] = [Math.floor(minutes / 60) % 24, minutes % 60];
  if (hour === 0 && minute === 0) return midnight;
  return `${hour}h${minute === 0 ? '' : String(minute).padStart(2, '0')}`;
}
