import { dayInBrasilia, fullDate } from '#contract/calendar.ts';
import { type DiaryRead, type DiaryShare, isOpen } from '#contract/diary/share.ts';
import { calendarDay } from '#web/components/date-and-time.ts';

const dayHere = (epochMs: number) => calendarDay(new Date(epochMs));

/** Writes a day without the year if it is the current year: `14 de novembro`. */
export function shortDay(day: string, today: string): string {
  const year = ` de ${day.slice(0, 4)}`;
  return today.startsWith(day.slice(0, 4)) ? fullDate(day).slice(0, -year.length) : fullDate(day);
}

/** Writes days: `14 de novembro`, `1 a 14 de novembro`, `28 de outubro a 14 de novembro`. */
export function writtenDays(from: string, to: string, today: string): string {
  if (from === to) return shortDay(from, today);
  if (from.slice(0, 7) === to.slice(0, 7)) return `${Number(from.slice(8))} a ${shortDay(to, today)}`;
  const isSameYear = from.slice(0, 4) === to.slice(0, 4);
  return `${shortDay(from, isSameYear ? from : today)} a ${shortDay(to, today)}`;
}

/** Writes a time: `27 de novembro, às 14h05`. */
export function dayAndTime(epochMs: number, now: number): string {
  const time = new Date(epochMs);
  const hour = time.getHours();
  const minutes = String(time.getMinutes()).padStart(2, '0');
  return `${shortDay(dayHere(epochMs), dayHere(now))}, ${hour < 2 ? 'à' : 'às'} ${hour}h${minutes}`;
}

/** Says what a clinician read, and when. */
export function readSentence({ clinician, what, from, to, at }: DiaryRead, now: number): string {
  const days = writtenDays(from, to, dayHere(now));
  const read = {
    entries: `as anotações de ${days}`,
    note: `a nota para a consulta de ${days}`,
    week: `as suas respostas da semana, de ${days}`,
  }[what];
  return `${clinician.name} leu ${read}, em ${dayAndTime(at, now)}.`;
}

/** A share of one entry contains no answers of the week. */
const weekToo = ({ entryId }: DiaryShare['scope']) =>
  entryId === undefined ? ', e suas respostas de “Sua semana”' : '';

/** Says what a share contains. */
export function scopeSentence({ scope }: Pick<DiaryShare, 'scope'>, now: number): string {
  const days = writtenDays(scope.from, scope.to, dayHere(now));
  return [
    `As palavras e a intensidade de ${scope.entryId === undefined ? '' : 'uma anotação, de '}${days}.`,
    ...(scope.notes ? ['Também suas notas.'] : []),
    ...(scope.practices ? [`Também suas práticas e seus passos${weekToo(scope)}.`] : []),
  ].join(' ');
}

/** Says when and why a share ends, or has ended. */
export function endSentence(share: DiaryShare, now: number): string {
  const { clinician, scope, endedAt, endedBy } = share;
  if (isOpen(share, now)) return `Termina em ${shortDay(dayInBrasilia(scope.expiresAt), dayHere(now))}.`;
  if (endedAt === null) return `Terminou em ${shortDay(dayInBrasilia(scope.expiresAt), dayHere(now))}.`;
  const at = dayAndTime(endedAt, now);
  switch (endedBy) {
    case 'clinician':
      return `Terminou em ${at}, porque o cadastro de ${clinician.name} mudou.`;
    case 'restore':
      return `Terminou em ${at}, porque o site foi recuperado de uma cópia de segurança. Se quiser, autorize de novo.`;
    default:
      return `Você encerrou em ${at}.`;
  }
}
