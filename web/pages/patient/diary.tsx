import { Suspense, useEffect, useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { isAway } from '#client/client-error.ts';
import type { DiaryChart, DiaryDays, DiaryState } from '#contract/diary/entry.ts';
import { client } from '#web/app/client.ts';
import { chosenUid } from '#web/app/device-memory.ts';
import { lazyComponent } from '#web/app/lazy-component.ts';
import { loadOffline, openQueue } from '#web/app/load-offline.ts';
import { servicesContext, useChosenUid } from '#web/app/services.ts';
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

type Online = { state: DiaryState; days: DiaryDays; chart: DiaryChart; gone: string[]; left: number };
/** Without network: only what waits on this device, and the titles of its practices. */
type Loaded = Online | { titles: Record<string, string>; left: number };

/** Only for devices on which the user has chosen use without network. */
const WaitingList = lazyComponent(
  'offline/waiting-list',
  async () => (await import('#web/offline/waiting-list.tsx')).WaitingList,
);

/** Loads the newest entries and the words of twelve weeks; the page appears before they arrive. */
export async function loader({ context, request: { signal } }: LoaderFunctionArgs) {
  const { session, content } = context.get(servicesContext);
  const present = await session.ready();
  // The guard has already redirected visitors.
  const uid = present.status === 'signed-in' ? present.session.user.uid : '';
  const load = async (): Promise<Loaded> => {
    const queue = await openQueue(uid);
    const left = queue?.state().left ?? 0;
    try {
      const diary = await client.diary(uid);
      const [state, days, chart, waiting] = await Promise.all([
        diary.state(signal),
        diary.days({}, signal),
        diary.chart(calendarDay(), signal),
        queue?.list(),
        content.load('identity'),
      ]);
      const gone = (waiting ?? []).flatMap(({ id, kind }) => (kind === 'deletion' ? [id] : []));
      return { state, days, chart, gone, left };
    } catch (error) {
      const offline = isAway(error) && chosenUid() === uid ? await loadOffline() : undefined;
      if (!offline) throw error;
      await content.load('identity');
      return { titles: (await offline.findKeptDiary())?.titles ?? {}, left };
    }
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
      {(found) => ('titles' in found ? <WithoutNetwork {...found} /> : <Diary {...found} />)}
    </PatientPage>
  );
}

/** Shows what waits on this device. The diary itself is only on the server. */
function WithoutNetwork(kept: { titles: Record<string, string>; left: number }) {
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    const again = () => void revalidate();
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, [revalidate]);
  return (
    <>
      <p>
        <ButtonLink to="/diario/novo" size="large">
          Anotar como estou agora
        </ButtonLink>
      </p>
      <Notice
        action={
          <Button size="small" aria-disabled={state === 'loading' || undefined} onClick={() => revalidate()}>
            Tentar de novo
          </Button>
        }
      >
        <span>Sem conexão com o site. O que já está no seu diário aparece quando ela voltar.</span>
      </Notice>
      <Suspense>
        <WaitingList {...kept} />
      </Suspense>
      <DangerNote />
    </>
  );
}

/** Shows what waits on this device, if the user of the diary has chosen it. */
function OwnWaiting(list: { titles: Record<string, string>; left: number }) {
  const isOwn = useChosenUid() === usePatientUid();
  return (
    isOwn && (
      <Suspense>
        <WaitingList {...list} />
      </Suspense>
    )
  );
}

function Diary({ state, days, chart, gone, left }: Online) {
  const uid = usePatientUid();
  const [consents, setConsents] = useState(state.consents);
  const [pausedAt, setPausedAt] = useState(state.pausedAt);
  const [asking, setAsking] = useState(false);
  const pause = async (paused: boolean) => {
    await (await client.diary(uid)).pause(paused);
    setPausedAt(paused ? Date.now() : null);
  };
  const resuming = useAction();
  if (!consents)
    return (
      <>
        <OwnWaiting titles={days.titles} left={left} />
        <StartDiary onStarted={() => setConsents(true)} />
      </>
    );
  return (
    <>
      <OwnWaiting titles={days.titles} left={left} />
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
        <EntryList first={days} gone={gone}>
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
