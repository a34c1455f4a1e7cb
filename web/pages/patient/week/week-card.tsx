import { dayAfter, mondayOf } from '#contract/calendar.ts';
import type { DayState, WeekAssignment } from '#contract/diary/week.ts';
import { practicePath } from '#contract/practices/path.ts';
import { Button } from '#web/components/button.tsx';
import { dayAndWeekday } from '#web/components/date-and-time.ts';
import { Link } from '#web/components/link.tsx';
import { PlainText } from '#web/components/plain-text.tsx';
import { Chips } from '../components/chips.tsx';
import { Fold } from '../components/fold.tsx';
import styles from './week.module.css';

/** A proposed practice, with the patient's answers of this week. */
export function WeekCard({
  assignment,
  today,
  onAnswer,
  onSkip,
}: {
  assignment: WeekAssignment;
  today: string;
  onAnswer: (day: string, state: DayState | null) => void;
  onSkip: (skipped: boolean) => void;
}) {
  const { id, title, activityId, isPublic, message, fromDay, toDay, clinician, days, skippedWeeks } =
    assignment;
  const isWithdrawn = assignment.withdrawnAt !== null;
  const monday = mondayOf(today);
  const isSkipped = skippedWeeks.includes(monday);
  const isOfToday = fromDay <= today && today <= toDay;
  const earlier = Array.from({ length: 7 }, (_, place) => dayAfter(monday, place))
    .filter((day) => day >= fromDay && day <= toDay && day < today)
    .reverse();
  const stateOf = (one: string) => days.find(({ day }) => day === one)?.state;
  const propsOf = (day: string) => ({ day, today, state: stateOf(day), onAnswer });
  return (
    <article className={styles.card} aria-labelledby={`pratica-${id}`}>
      <h2 id={`pratica-${id}`}>
        {isPublic ? <Link to={practicePath({ id: activityId, title })}>{title}</Link> : title}
      </h2>
      {!isPublic && <p className={styles.quiet}>Esta prática saiu da biblioteca.</p>}
      <p>
        <span>{`${clinician.name} propôs: ${timesOf(assignment)}`}</span>
        <span>{fromDay > today ? `, de ${dayAndWeekday(fromDay)}` : ''}</span>
        <span>{` até ${dayAndWeekday(toDay)}.`}</span>
      </p>
      {message === null && <p className={styles.quiet}>A mensagem não pôde ser aberta.</p>}
      {message && (
        <blockquote className={styles.message}>
          <PlainText text={message} />
        </blockquote>
      )}
      {isWithdrawn ? (
        <p>Esta prática não está mais proposta. Você não precisa fazer nada.</p>
      ) : isSkipped ? (
        <p>Esta semana ficou de lado. Tudo bem.</p>
      ) : (
        <>
          {isOfToday && <Day {...propsOf(today)} />}
          {isOfToday && isPublic && stateOf(today) === 'done' && (
            <p>
              <Link to={`/diario/novo?pratica=${encodeURIComponent(activityId)}`}>Anotar como foi</Link>
            </p>
          )}
          {earlier.length > 0 && (
            <Fold title="Outros dias desta semana">
              <div className={styles.days}>
                {earlier.map((day) => (
                  <Day key={day} {...propsOf(day)} />
                ))}
              </div>
            </Fold>
          )}
        </>
      )}
      {!isWithdrawn && fromDay <= dayAfter(monday, 6) && (
        <p>
          {/* The same button in both states, so that the focus stays on it. */}
          <Button variant="quiet" size="small" onClick={() => onSkip(!isSkipped)}>
            <span>{isSkipped ? 'Voltar a esta semana' : 'Esta semana não'}</span>
          </Button>
        </p>
      )}
    </article>
  );
}

const timesOf = ({ timesPerWeek }: WeekAssignment) =>
  timesPerWeek === 7
    ? 'todos os dias'
    : timesPerWeek === 1
      ? 'uma vez por semana'
      : `${timesPerWeek} vezes por semana`;

/** The answers to choose from, for one day. A second press takes the answer back. */
function Day({
  day,
  today,
  state,
  onAnswer,
}: {
  day: string;
  today: string;
  state: DayState | undefined;
  onAnswer: (day: string, state: DayState | null) => void;
}) {
  const isToday = day === today;
  return (
    <Chips
      legend={isToday ? `Hoje, ${dayAndWeekday(day)}` : dayAndWeekday(day)}
      options={[
        ['done', 'Fiz'],
        ['not-done', isToday ? 'Hoje não' : 'Nesse dia não'],
      ]}
      isOn={(one) => state === one}
      onToggle={(one) => onAnswer(day, state === one ? null : one)}
    />
  );
}
