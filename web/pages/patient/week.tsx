import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { fullDate, mondayOf } from '#contract/calendar.ts';
import type { WeekAssignment } from '#contract/diary/week.ts';
import { client } from '#web/app/client.ts';
import { servicesContext } from '#web/app/services.ts';
import { ButtonLink } from '#web/components/button.tsx';
import { deferred } from '#web/components/deferred.tsx';
import { DashedMessage } from '#web/components/layout/messages.tsx';
import { Link } from '#web/components/link.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import { DangerNote } from './components/danger-note.tsx';
import { PatientPage } from './components/patient-page.tsx';
import { useToday } from './components/use-today.ts';
import { useWeek } from './week/use-week.ts';
import styles from './week/week.module.css';
import { WeekCard } from './week/week-card.tsx';

/** Loads what clinicians have proposed; the page appears before it arrives. */
export async function loader({ context, request: { signal } }: LoaderFunctionArgs) {
  const present = await context.get(servicesContext).session.ready();
  // The guard has already redirected visitors.
  const uid = present.status === 'signed-in' ? present.session.user.uid : '';
  return { uid, loaded: deferred(client.week().then((week) => week.list(signal))) };
}

/** The practices that clinicians have proposed for the patient's week. */
export function Component() {
  const { uid, loaded } = useLoaderData<typeof loader>();
  return (
    <PatientPage
      {...{ uid, loaded }}
      title="Sua semana"
      lead="O que vocês combinaram, no seu tempo. Sem resposta não quer dizer nada."
    >
      {(assignments) => <Week first={assignments} />}
    </PatientPage>
  );
}

function Week({ first }: { first: WeekAssignment[] }) {
  const today = useToday();
  const { assignments, said, failure, signInAgain, answer, skip } = useWeek(first);
  const monday = mondayOf(today);
  // A week stays open until its Sunday.
  const open = assignments.filter(({ toDay }) => toDay >= monday).reverse();
  const closed = assignments.filter(({ toDay }) => toDay < monday);
  return (
    <>
      {open.length === 0 ? (
        <DashedMessage headline="Nada combinado para esta semana.">
          <p>Quando alguém da clínica propuser uma prática, ela aparece aqui.</p>
          <ButtonLink to="/practices" variant="quiet">
            Ver as práticas
          </ButtonLink>
        </DashedMessage>
      ) : (
        <div className={styles.cards}>
          {open.map((assignment) => (
            <WeekCard
              key={assignment.id}
              {...{ assignment, today }}
              onAnswer={(day, state) => answer(assignment, day, state)}
              onSkip={(skipped) => skip(assignment, monday, skipped)}
            />
          ))}
        </div>
      )}
      {/* In the page from the beginning, so that screen readers announce its changes. */}
      <p className="visually-hidden" role="status">
        {said}
      </p>
      <FormMessage message={failure} />
      {open.length > 0 && (
        <p className={styles.quiet}>
          Quem propôs só vê as suas respostas se você{' '}
          <Link to="/diario/compartilhar">compartilhar as práticas do diário</Link>.
        </p>
      )}
      <p>
        <Link to="/semana/lembrete">Um lembrete por e-mail, se ajudar</Link>
      </p>
      <DangerNote what="estas respostas" />
      {closed.length > 0 && (
        <section className={styles.closed} aria-labelledby="de-antes">
          <h2 id="de-antes">De antes</h2>
          <ul>
            {closed.map(({ id, title, fromDay, toDay }) => (
              <li key={id}>
                <span>{title}</span>{' '}
                <span className={styles.quiet}>{`${fullDate(fromDay)} a ${fullDate(toDay)}`}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {signInAgain}
    </>
  );
}
