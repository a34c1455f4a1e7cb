import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import type { DiaryChart, DiaryDays, DiaryState } from '#contract/diary/entry.ts';
import { client } from '#web/app/client.ts';
import { servicesContext } from '#web/app/services.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { calendarDay, recentDate } from '#web/components/date-and-time.ts';
import { deferred } from '#web/components/deferred.tsx';
import { Link } from '#web/components/link.tsx';
import { FormMessage, Notice } from '#web/components/notice.tsx';
import { useAction } from '#web/components/use-action.ts';
import { DangerNote } from './components/danger-note.tsx';
import { PatientPage, usePatientUid } from './components/patient-page.tsx';
import { StartDiary } from './components/start-diary.tsx';
import { EntryList } from './diary/entry-list.tsx';
import { HarmDialog } from './diary/harm-dialog.tsx';
import { WordsChart } from './diary/words-chart.tsx';
import styles from './diary.module.css';

type Loaded = { state: DiaryState; days: DiaryDays; chart: DiaryChart };

/** Loads the newest entries and the words of twelve weeks; the page appears before they arrive. */
export async function loader({ context, request: { signal } }: LoaderFunctionArgs) {
  const { session, content } = context.get(servicesContext);
  const present = await session.ready();
  // The guard has already redirected visitors.
  const uid = present.status === 'signed-in' ? present.session.user.uid : '';
  const load = async (): Promise<Loaded> => {
    const diary = await client.diary(uid);
    const [state, days, chart] = await Promise.all([
      diary.state(signal),
      diary.days({}, signal),
      diary.chart(calendarDay(), signal),
      content.load('identity'),
    ]);
    return { state, days, chart };
  };
  return { uid, loaded: deferred(load()) };
}

/** The diary of the signed-in user. */
export function Component() {
  const { uid, loaded } = useLoaderData<typeof loader>();
  return (
    <PatientPage
      {...{ uid, loaded }}
      title="Meu diário"
      lead="Ninguém lê o que você escreve aqui, até que você compartilhe."
    >
      {(found) => <Diary {...found} />}
    </PatientPage>
  );
}

function Diary({ state, days, chart }: Loaded) {
  const uid = usePatientUid();
  const [consents, setConsents] = useState(state.consents);
  const [pausedAt, setPausedAt] = useState(state.pausedAt);
  const [asking, setAsking] = useState(false);
  const pause = async (paused: boolean) => {
    await (await client.diary(uid)).pause(paused);
    setPausedAt(paused ? Date.now() : null);
  };
  const resuming = useAction();
  if (!consents) return <StartDiary onStarted={() => setConsents(true)} />;
  return (
    <>
      {state.count === 0 && <p>Uma palavra basta.</p>}
      {pausedAt === null ? (
        <p>
          <ButtonLink to="/diario/novo" size="large">
            Anotar como estou agora
          </ButtonLink>
        </p>
      ) : (
        <Notice
          action={
            <Button
              size="small"
              aria-disabled={resuming.pending}
              onClick={() => resuming.run(() => pause(false))}
            >
              Retomar
            </Button>
          }
        >
          <span>{`Seu diário está em pausa desde ${recentDate(pausedAt)}. Tudo o que você escreveu continua aqui.`}</span>
        </Notice>
      )}
      <FormMessage {...resuming.failure} />
      <DangerNote />
      {state.count > 0 && (
        <EntryList first={days}>
          <WordsChart chart={chart} />
        </EntryList>
      )}
      <nav className={styles.more} aria-label="Mais do diário">
        <Link to="/diario/consulta">Preparar a próxima consulta</Link>
        <Link to="/diario/compartilhar">Compartilhar, e quem leu</Link>
        {state.count > 0 && <Link to="/diario/copias">Imprimir, baixar, apagar</Link>}
        <button type="button" onClick={() => setAsking(true)}>
          O diário está me fazendo mal?
        </button>
      </nav>
      {asking && (
        <HarmDialog
          pause={pausedAt === null && state.count > 0 ? () => pause(true) : undefined}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
