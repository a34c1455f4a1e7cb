import { useEffect, useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { hasCode } from '#client/client-error.ts';
import type { SharedDiary, SharedEntries, ShownNote } from '#contract/diary/reading.ts';
import type { PatientAssignments } from '#contract/diary/week.ts';
import { client } from '#web/app/client.ts';
import { Button } from '#web/components/button.tsx';
import { Deferred, deferred, SkeletonBar } from '#web/components/deferred.tsx';
import { isSignedOutError } from '#web/components/form/sign-in-again.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { Link } from '#web/components/link.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import { useAction } from '#web/components/use-action.ts';
import { EmptyState } from './components/page-parts.tsx';
import { Grants, orNoReading, WeakSession } from './components/shared-diary.tsx';
import { Assignments } from './patient/assignments.tsx';
import { SharedDays } from './patient/shared-days.tsx';
import { Notes } from './patient/shown-notes.tsx';
import styles from './patient.module.css';

/** What the clinician has read, until the page is left or the patient allows it no longer. */
type Reading = {
  readAt: number;
  diary: SharedDiary;
  page: SharedEntries | undefined;
  notes: ShownNote[];
  week: PatientAssignments;
};

export function loader({ params: { uid = '' }, request }: LoaderFunctionArgs) {
  return { reading: deferred(orNoReading(read(uid, request.signal))) };
}

async function read(uid: string, signal: AbortSignal): Promise<Reading> {
  const clinicians = await client.clinicians();
  const diary = await clinicians.sharedDiary(uid, signal);
  const [page, notes, week] = await Promise.all([
    diary.shares.length > 0 ? clinicians.sharedEntries(uid, {}, signal) : undefined,
    diary.showsNote ? clinicians.sharedNotes(uid, signal) : [],
    client.week().then((one) => one.ofPatient(uid, signal)),
  ]);
  return { readAt: Date.now(), diary, page, notes, week };
}

/** What one patient shows to the signed-in clinician. */
export function Component() {
  const { reading } = useLoaderData<typeof loader>();
  return (
    <>
      {/* Not the patient's name, which would stay in the browser's history. */}
      <PageTitle title="Diário compartilhado" />
      <Deferred value={reading} skeleton={<SkeletonBar width="full" />}>
        {(loaded) => {
          if (typeof loaded === 'object') return <Diary key={loaded.readAt} first={loaded} />;
          return (
            <section className={styles.page}>
              <h1>{loaded === 'weak' ? 'Diário compartilhado' : 'Nada para ler agora'}</h1>
              {loaded === 'weak' ? (
                <WeakSession />
              ) : (
                <EmptyState>
                  Este diário não está compartilhado com você agora, e esta pessoa não tem prática proposta
                  por você. Um compartilhamento termina no dia marcado, ou quando o paciente o encerra. Se
                  fizer sentido, <Link to="/admin/propor">proponha uma prática</Link>.
                </EmptyState>
              )}
            </section>
          );
        }}
      </Deferred>
    </>
  );
}

function Diary({ first }: { first: Reading }) {
  const { diary, notes, week } = first;
  const [pages, setPages] = useState(first.page ? [first.page] : []);
  const { isOver, whileAllowed } = useAllowance(diary);
  const { pending, failure, run } = useAction();
  const next = pages.at(-1)?.next ?? null;

  const loadMore = () =>
    run(async () => {
      if (next === null) return;
      const clinicians = await client.clinicians();
      const page = await whileAllowed(() => clinicians.sharedEntries(diary.uid, { to: next }));
      if (page) setPages([...pages, page]);
    });

  if (isOver)
    return (
      <section className={styles.page}>
        <h1>Diário compartilhado</h1>
        <p role="status">O que você pode ler mudou. Conferindo…</p>
      </section>
    );
  return (
    <section className={styles.page}>
      <h1>{diary.displayName}</h1>
      <Grants diary={diary} />
      {(diary.shares.length > 0 || diary.showsNote) && (
        <p className={styles.facts}>
          O paciente vê que você leu, e quando. Ninguém acompanha este diário em tempo real.
        </p>
      )}
      <Notes notes={notes} />
      <Assignments uid={diary.uid} week={week} />
      {first.page && <SharedDays pages={pages} />}
      <FormMessage {...failure} />
      {next !== null && (
        <p>
          <Button variant="quiet" aria-disabled={pending || undefined} onClick={loadMore}>
            {pending ? 'Carregando…' : 'Mostrar dias anteriores'}
          </Button>
        </p>
      )}
    </section>
  );
}

/**
 * Asks the server whenever the tab is shown again whether the patient still allows the same. If not, the page
 * drops at once what it shows, and loads again.
 */
function useAllowance(diary: SharedDiary) {
  const { revalidate } = useRevalidator();
  const [isOver, setIsOver] = useState(false);

  async function whileAllowed<T>(call: () => Promise<T>): Promise<T | undefined> {
    try {
      return await call();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      setIsOver(true);
      await revalidate();
      return undefined;
    }
  }

  async function check() {
    const clinicians = await client.clinicians();
    const now = await whileAllowed(() => clinicians.sharedDiary(diary.uid));
    if (!now || JSON.stringify(now) === JSON.stringify(diary)) return;
    setIsOver(true);
    await revalidate();
  }

  useEffect(() => {
    // Without a connection, the page stays as it is: it shows nothing new.
    const ask = () => void (document.visibilityState === 'visible' && check().catch(() => undefined));
    document.addEventListener('visibilitychange', ask);
    window.addEventListener('focus', ask);
    return () => {
      document.removeEventListener('visibilitychange', ask);
      window.removeEventListener('focus', ask);
    };
  });

  return { isOver, whileAllowed };
}

const isRefusal = (error: unknown) =>
  hasCode(error, 'documents/not-found') ||
  hasCode(error, 'auth/strong-session-required') ||
  isSignedOutError(error);
