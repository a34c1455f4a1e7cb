import { useRef, useState } from 'react';
import { hasCode, messageOf } from '#client/client-error.ts';
import type { DayState, WeekAssignment } from '#contract/diary/week.ts';
import { client } from '#web/app/client.ts';

type Week = readonly WeekAssignment[];
type Change = (week: Week) => Week;

/**
 * Shows changes at once, and sends them in their order. After a failure, the page shows what the server has
 * confirmed, and says why.
 */
export function useWeek(first: Week) {
  const [assignments, setAssignments] = useState(first);
  const [said, setSaid] = useState('');
  const [failure, setFailure] = useState('');
  const confirmed = useRef(first);
  const queue = useRef(Promise.resolve());

  function change(apply: Change, send: () => Promise<void>, whenDone: string) {
    setAssignments(apply);
    setSaid('');
    setFailure('');
    queue.current = queue.current.then(async () => {
      try {
        await send();
        confirmed.current = apply(confirmed.current);
        setSaid(whenDone);
      } catch (error) {
        setAssignments(confirmed.current);
        setFailure(
          hasCode(error, 'documents/not-found')
            ? 'Esta prática não está mais proposta. Carregue a página de novo.'
            : `Sua resposta não foi guardada. ${messageOf(error)}`,
        );
      }
    });
  }

  return {
    ...{ assignments, said, failure },
    answer: ({ id, title }: WeekAssignment, day: string, state: DayState | null) =>
      change(
        changed(id, (one) => ({
          ...one,
          days: [...one.days.filter((answer) => answer.day !== day), ...(state ? [{ day, state }] : [])],
        })),
        async () => (await client.week()).answer(id, day, state),
        `${title}: ${state ? 'resposta guardada.' : 'resposta retirada.'}`,
      ),
    skip: ({ id, title }: WeekAssignment, monday: string, skipped: boolean) =>
      change(
        changed(id, (one) => ({
          ...one,
          skippedWeeks: [...one.skippedWeeks.filter((week) => week !== monday), ...(skipped ? [monday] : [])],
        })),
        async () => (await client.week()).skip(id, monday, skipped),
        `${title}: ${skipped ? 'esta semana ficou de lado.' : 'de volta a esta semana.'}`,
      ),
  };
}

const changed =
  (id: string, change: (one: WeekAssignment) => WeekAssignment): Change =>
  (week) =>
    week.map((one) => (one.id === id ? change(one) : one));
