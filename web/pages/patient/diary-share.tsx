import { type LoaderFunctionArgs, useLoaderData, useSearchParams } from 'react-router';
import { hasCode } from '#client/client-error.ts';
import type { DiaryEntry } from '#contract/diary/entry.ts';
import type { Clinician, DiaryRead, DiaryShare } from '#contract/diary/share.ts';
import { client } from '#web/app/client.ts';
import { servicesContext } from '#web/app/services.ts';
import { deferred } from '#web/components/deferred.tsx';
import { Notice } from '#web/components/notice.tsx';
import { DangerNote } from './components/danger-note.tsx';
import { PatientPage } from './components/patient-page.tsx';
import styles from './diary-share/diary-share.module.css';
import { Grant } from './diary-share/grant.tsx';
import { Reads, ShareList } from './diary-share/share-list.tsx';

type Loaded = {
  clinicians: Clinician[];
  shares: DiaryShare[];
  reads: DiaryRead[];
  /** The entry that the URL names; `null` if the diary does not have it. */
  only: DiaryEntry | null | undefined;
  /** The time of these data. */
  now: number;
};

/** The search parameter with the id of an entry that the patient wants to share alone. */
const entryParam = 'anotacao';

/** Loads shares and access log; the page appears before they arrive. */
export async function loader({ context, request }: LoaderFunctionArgs) {
  const present = await context.get(servicesContext).session.ready();
  // The guard has already redirected visitors.
  const uid = present.status === 'signed-in' ? present.session.user.uid : '';
  return { uid, loaded: deferred(load(uid, request)) };
}

async function load(uid: string, { url, signal }: Request): Promise<Loaded> {
  const id = new URL(url).searchParams.get(entryParam);
  const [clinicians, diaryShares] = await Promise.all([client.clinicians(), client.diaryShares(uid)]);
  const [found, shares, reads, only] = await Promise.all([
    clinicians.list(signal),
    diaryShares.list(signal),
    diaryShares.listReads(signal),
    id === null ? undefined : findEntry(uid, id, signal),
  ]);
  return { clinicians: found, shares, reads, only, now: Date.now() };
}

/** @returns null if there is no such entry, or it cannot be opened */
async function findEntry(uid: string, id: string, signal: AbortSignal): Promise<DiaryEntry | null> {
  try {
    return await (await client.diary(uid)).entry(id, signal);
  } catch (error) {
    const isGone = ['documents/not-found', 'request/invalid', 'documents/diary-entry-unreadable'] as const;
    if (isGone.some((code) => hasCode(error, code))) return null;
    throw error;
  }
}

/** The page on which a patient lets clinicians read the diary, ends that, and sees who has read. */
export function Component() {
  const { uid, loaded } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  return (
    <PatientPage
      {...{ uid, loaded }}
      title="Compartilhar o diário"
      lead="O diário é seu. Aqui você escolhe quem lê, o que e até quando."
      links={[
        ['/diario', 'Meu diário'],
        ['/diario/consulta', 'Nota para a consulta'],
      ]}
    >
      {({ clinicians, shares, reads, only, now }, user) => (
        <>
          <ShareList shares={shares} now={now} />
          <section className={styles.section} aria-labelledby="autorizar">
            <h2 id="autorizar">Autorizar alguém a ler</h2>
            <p>Quem você autoriza lê nas consultas, e só o que você escolher aqui.</p>
            <DangerNote />
            {only === null && (
              <Notice>Essa anotação não está mais no seu diário, ou não pôde ser aberta.</Notice>
            )}
            <Grant
              key={search.get(entryParam) ?? ''}
              clinicians={clinicians.filter((one) => one.uid !== uid)}
              only={only ?? undefined}
              now={now}
              mailsReceipt={user.emailVerified}
            />
          </section>
          <Reads reads={reads} now={now} />
        </>
      )}
    </PatientPage>
  );
}
