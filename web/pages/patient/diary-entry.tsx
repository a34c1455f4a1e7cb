import { type ComponentProps, useEffect, useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { hasCode, isAway } from '#client/client-error.ts';
import type { Activity } from '#contract/activity.ts';
import type { DiaryEntry, KeptItem } from '#contract/diary/entry.ts';
import { limits } from '#contract/limits.ts';
import { client } from '#web/app/client.ts';
import { lastOpened } from '#web/app/last-opened.ts';
import { loadOffline, openQueue } from '#web/app/load-offline.ts';
import { type Services, servicesContext, useServices } from '#web/app/services.ts';
import { ButtonLink } from '#web/components/button.tsx';
import { deferred, SkeletonBar } from '#web/components/deferred.tsx';
import { favouritesOf } from '#web/components/favourites/favourites.ts';
import type { WaitingEntry } from '#web/offline/queue-items.ts';
import { PatientPage, usePatientUid } from './components/patient-page.tsx';
import { StartDiary } from './components/start-diary.tsx';
import { EntryForm } from './diary-entry/entry-form.tsx';
import { SavedEntry } from './diary-entry/saved-entry.tsx';
import type { Saved } from './diary-entry/use-entry-saving.ts';

/** The number of practices that the form offers. */
const offeredPractices = 12;
/** Enough for the entries of the two days before, also if they are full. */
const earlierEntries = 3 * limits.diaryEntriesADay;

type Loaded = {
  consents: boolean;
  /** The entry to edit; undefined for a new one, `null` if it was deleted. */
  entry: DiaryEntry | null | undefined;
  /** The newest entries of the diary. */
  earlier: KeptItem[];
  practices: Pick<Activity, 'id' | 'title'>[];
  /** The practice that the URL names. */
  wanted: string | undefined;
  /** The id of the entry if it waits on this device. */
  waitingId: string | undefined;
};

/**
 * Loads what the form offers. It reads the newest entries before anything is written, so that the help in a
 * crisis needs no request.
 */
export async function loader({ context, request }: LoaderFunctionArgs) {
  const services = context.get(servicesContext);
  const present = await services.session.ready();
  // The guard has already redirected visitors.
  const uid = present.status === 'signed-in' ? present.session.user.uid : '';
  return { uid, loaded: deferred(load(services, uid, request)) };
}

async function load(services: Services, uid: string, { url, signal }: Request): Promise<Loaded> {
  const search = new URL(url).searchParams;
  const [id, wanted] = [search.get('id'), search.get('pratica') ?? undefined];
  const queue = await openQueue(uid);
  const waiting = id === null ? undefined : await queue?.find(id);
  const isWaiting = waiting?.kind === 'entry';
  const findEntry = async () => {
    if (id === null || isWaiting) return undefined;
    if (waiting?.kind === 'deletion') return null;
    try {
      return await (await client.diary(uid)).entry(id, signal);
    } catch (error) {
      if (hasCode(error, 'documents/not-found') || hasCode(error, 'request/invalid')) return null;
      throw error;
    }
  };
  const favourites = favouritesOf(services, uid);
  const readDiary = async () => {
    const diary = await client.diary(uid);
    const [{ consents }, { entries, titles }] = await Promise.all([
      diary.state(signal),
      diary.days({ limit: earlierEntries }, signal),
      favourites.loadOnce().catch(() => {}),
    ]);
    return { consents, earlier: entries, titles };
  };
  /** What this device keeps for use without network. */
  const findKept = async () => {
    const kept = await (await loadOffline())?.findKeptDiary();
    const earlier = (await queue?.list())?.flatMap((one) => (one.kind === 'entry' ? [one.entry] : []));
    return kept && earlier && { ...kept, earlier };
  };
  const [entry, { consents, earlier, titles }] = await Promise.all([
    findEntry(),
    readDiary().catch(async (error: unknown) => {
      const kept = isAway(error) && queue ? await findKept() : undefined;
      if (!kept) throw error;
      return kept;
    }),
    services.content.load('diary', 'identity'),
  ]);
  const known = new Map([
    ...Object.entries(titles),
    ...(favourites.getSnapshot()?.documents ?? []).map(({ id: one, title }) => [one, title] as const),
  ]);
  const chosen = isWaiting ? waiting.entry : entry;
  const ids = new Set([
    ...(wanted ? [wanted] : []),
    ...(chosen?.practices ?? []),
    ...lastOpened(uid),
    ...known.keys(),
  ]);
  const practices = await Promise.all(
    [...ids].slice(0, offeredPractices).map(async (one) => {
      const title = known.get(one) ?? (await titleOf(services, one, signal));
      return title === undefined ? [] : [{ id: one, title }];
    }),
  );
  return {
    ...{ consents, entry, earlier, practices: practices.flat(), wanted },
    waitingId: isWaiting ? waiting.id : undefined,
  };
}

/** @returns undefined for a practice that is not public, or that could not be loaded */
async function titleOf({ pageData }: Services, id: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    return (await pageData.practicePage(id, signal)).practice?.title;
  } catch {
    return undefined;
  }
}

/** The form of a new entry, or of an entry that the user edits. */
export function Component() {
  const { uid, loaded } = useLoaderData<typeof loader>();
  return (
    <PatientPage {...{ uid, loaded }} title="Anotar">
      {(found) => <Entry {...found} />}
    </PatientPage>
  );
}

function Entry({ consents, entry, earlier, practices, wanted, waitingId }: Loaded) {
  const { basename } = useServices().content.site;
  // The editor's preview shows the words, also to an admin without a diary.
  const [started, setStarted] = useState(consents || basename !== undefined);
  const [saved, setSaved] = useState<Saved>();
  const [round, setRound] = useState(0);
  if (!started)
    return (
      <>
        <h1 className="page-title">Meu diário</h1>
        <StartDiary onStarted={() => setStarted(true)} />
      </>
    );
  if (entry === null)
    return (
      <>
        <h1 className="page-title">Anotação</h1>
        <p className="lead">Esta anotação foi apagada.</p>
        <p>
          <ButtonLink to="/diario">Ver o diário</ButtonLink>
        </p>
      </>
    );
  if (saved)
    return (
      <SavedEntry
        saved={saved}
        earlier={earlier}
        onNext={() => {
          setSaved(undefined);
          setRound(round + 1);
        }}
      />
    );
  const form = {
    practices,
    wanted: practices.find(({ id }) => id === wanted)?.id,
    onSaved: setSaved,
  };
  if (waitingId !== undefined && round === 0) return <Correction id={waitingId} {...form} />;
  return <EntryForm key={round} stored={round === 0 ? entry : undefined} {...form} />;
}

/** The form of an entry that waits on this device. While it is open, the entry is not sent. */
function Correction({
  id,
  ...form
}: { id: string } & Pick<ComponentProps<typeof EntryForm>, 'practices' | 'wanted' | 'onSaved'>) {
  const uid = usePatientUid() ?? '';
  const [waiting, setWaiting] = useState<WaitingEntry>();
  const { revalidate } = useRevalidator();
  useEffect(() => {
    let release = () => {};
    let isClosed = false;
    const open = async () => {
      const queue = await openQueue(uid);
      const end = await queue?.hold(id);
      release = () => {
        end?.();
        void queue?.flush();
      };
      if (isClosed) return release();
      const found = await queue?.find(id);
      if (found?.kind === 'entry') setWaiting(found);
      // It has been sent meanwhile.
      else await revalidate();
    };
    void open();
    return () => {
      isClosed = true;
      release();
    };
  }, [uid, id, revalidate]);
  return waiting ? <EntryForm waiting={waiting} {...form} /> : <SkeletonBar width="full" />;
}
