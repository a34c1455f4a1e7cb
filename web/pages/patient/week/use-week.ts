import { useRef, useState } from 'react';
import { hasCode, messageOf } from '#client/client-error.ts';
import type { DayState, WeekAssignment } from '#contract/diary/week.ts';
import { client } from '#web/app/client.ts';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';

type Week = readonly WeekAssignment[];
type Apply = (assignment: WeekAssignment) => WeekAssignment;

/**
 * Shows changes at once, and sends them in their order. After the last response, the page shows what the
 * server has confirmed. If the clinician has withdrawn the assignment meanwhile, the change is dropped.
 */
export function useWeek(first: Week) {
  const { withSession, signInAgain } = useSignInAgain();
  const [assignments, setAssignments] = useState(first);
  const [said, setSaid] = useState('');
  const [failure, setFailure] = useState('');
  const confirmed = useRef(first);
  const queue = useRef(Promise.resolve());

  function change({ id, title }: WeekAssignment, apply: Apply, send: () => Promise<void>, whenDone: string) {
    setAssignments(changed(id, apply));
    setSaid('');
    setFailure('');
    const sent = queue.current.then(async () => {
      try {
        await withSession(send);
        confirmed.current = changed(id, apply)(confirmed.current);
        setSaid(`${title}: ${whenDone}`);
      } catch (error) {
        if (hasCode(error, 'documents/not-found')) {
          const withdrawn = changed(id, (one) => ({ ...one, withdrawnAt: Date.now() }));
          confirmed.current = withdrawn(confirmed.current);
          setSaid(`${title}: não está mais proposta.`);
        } else setFailure(`Sua resposta não foi guardada. ${messageOf(error)}`);
      }
      if (queue.current === sent) setAssignments(confirmed.current);
    });
    queue.current = sent;
  }

  return {
    ...{ assignments, said, failure, signInAgain },
    answer: (assignment: WeekAssignment, day: string, state: DayState | null) =>
      change(
        assignment,
        (one) => ({
          ...one,
          days: [...one.days.filter((answer) => answer.day !== day), ...(state ? [{ day, state }] : [])],
        }),
        async () => (await client.week()).answer(assignment.id, day, state),
        state ? 'resposta guardada.' : 'resposta retirada.',
      ),
    skip: (assignment: WeekAssignment, monday: string, skipped: boolean) =>
      change(
        assignment,
        (one) => ({
          ...one,
          skippedWeeks: [...one.skippedWeeks.filter((week) => week !== monday), ...(skipped ? [monday] : [])],
        }),
        async () => (await client.week()).skip(assignment.id, monday, skipped),
        skipped ? 'esta semana ficou de lado.' : 'de volta a esta semana.',
      ),
  };
}

const changed =
  (id: string, apply: Apply) =>
  (week: Week): Week =>
    week.map((one) => (one.id === id ? apply(one) : one));
