import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { hasCode } from '#client/client-error.ts';
import type { Activity } from '#contract/activity.ts';
import type { DiaryEntry, KeptItem } from '#contract/diary/entry.ts';
import { limits } from '#contract/limits.ts';
import { client } from '#web/app/client.ts';
import { lastOpened } from '#web/app/last-opened.ts';
import { type Services, servicesContext, useServices } from '#web/app/services.ts';
import { ButtonLink } from '#web/components/button.tsx';
import { deferred } from '#web/components/deferred.tsx';
import { favouritesOf } from '#web/components/favourites/favourites.ts';
import { PatientPage } from './components/patient-page.tsx';
import { StartDiary } from './components/start-diary.tsx';
import { EntryForm } from './diary-entry/entry-form.tsx';
import { SavedEntry } from './diary-entry/saved-entry.tsx';

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
  const diary = await client.diary(uid);
  const findEntry = async () => {
    try {
      return id === null ? undefined : await diary.entry(id, signal);
    } catch (error) {
      if (hasCode(error, 'documents/not-found') || hasCode(error, 'request/invalid')) return null;
      throw error;
    }
  };
  const favourites = favouritesOf(services, uid);
  const [{ consents }, entry, days] = await Promise.all([
    diary.state(signal),
    findEntry(),
    diary.days({ limit: earlierEntries }, signal),
    favourites.loadOnce().catch(() => {}),
    services.content.load('diary', 'identity'),
  ]);
  const known = new Map([
    ...Object.entries(days.titles),
    ...(favourites.getSnapshot()?.documents ?? []).map(({ id: one, title }) => [one, title] as const),
  ]);
  const ids = new Set([
    ...(wanted ? [wanted] : []),
    ...(entry?.practices ?? []),
    ...lastOpened(uid),
    ...known.keys(),
  ]);
  const practices = await Promise.all(
    [...ids].slice(0, offeredPractices).map(async (one) => {
      const title = known.get(one) ?? (await titleOf(services, one, signal));
      return title === undefined ? [] : [{ id: one, title }];
    }),
  );
  return { consents, entry, earlier: days.entries, practices: practices.flat(), wanted };
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

function Entry({ consents, entry, earlier, practices, wanted }: Loaded) {
  const { basename } = useServices().content.site;
  // The editor's preview shows the words, also to an admin without a diary.
  const [started, setStarted] = useState(consents || basename !== undefined);
  const [saved, setSaved] = useState<DiaryEntry>();
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
        entry={saved}
        earlier={earlier}
        onNext={() => {
          setSaved(undefined);
          setRound(round + 1);
        }}
      />
    );
  return (
    <EntryForm
      key={round}
      entry={round === 0 ? entry : undefined}
      practices={practices}
      wanted={practices.find(({ id }) => id === wanted)?.id}
      onSaved={setSaved}
    />
  );
}
