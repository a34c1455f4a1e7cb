import { Suspense, useState } from 'react';
import { Await, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { hasCode } from '#client/client-error.ts';
import type { Activity } from '#contract/activity.ts';
import { fullDate } from '#contract/calendar.ts';
import type { DiaryState } from '#contract/diary/entry.ts';
import type { WeekAssignment } from '#contract/diary/week.ts';
import { practicePath } from '#contract/practices/path.ts';
import { loadClient } from '#web/app/api.ts';
import { forgetOpened, lastOpened } from '#web/app/last-opened.ts';
import { type Services, servicesContext, useChosenUid, useServices, useSession } from '#web/app/services.ts';
import { type SignedIn, userOf } from '#web/app/session.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { calendarDay } from '#web/components/date-and-time.ts';
import { Deferred, deferred, SkeletonBar } from '#web/components/deferred.tsx';
import { favouritesOf } from '#web/components/favourites/favourites.ts';
import { useFavourites, useSaving } from '#web/components/favourites/use-favourites.ts';
import { loginFor, wantedIn } from '#web/components/favourites/wanted-path.ts';
import { DashedMessage, Loading } from '#web/components/layout/messages.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { Link } from '#web/components/link.tsx';
import { Notice } from '#web/components/notice.tsx';
import { shortName } from '#web/components/person-name.ts';
import styles from './area.module.css';
import { PracticeTiles } from './components/practice-tiles.tsx';

/** The number of favourites on this page; /minhas-praticas shows all. */
const shownFavourites = 3;

type Loaded = {
  /** The practice that the URL names; `null` if it is not public any more, `undefined` if that is unknown. */
  wanted: Activity | null | undefined;
  opened: Activity[];
  /** What clinicians have proposed and is not over, the newest last. */
  week: WeekAssignment[];
};

/** Loads the user's practices and the state of the diary; the page appears before they arrive. */
export async function loader({ context, request }: LoaderFunctionArgs) {
  const services = context.get(servicesContext);
  const present = await services.session.ready();
  const none: Loaded = { wanted: undefined, opened: [], week: [] };
  // The guard has already redirected visitors.
  if (present.status !== 'signed-in')
    return { loaded: Promise.resolve(none), diary: Promise.resolve(undefined) };
  const { uid } = present.session.user;
  return { loaded: deferred(load(services, uid, request)), diary: findDiary(uid, request.signal) };
}

/** Reads the state of the diary. The links to it work without, so a failure shows nothing. */
async function findDiary(uid: string, signal: AbortSignal): Promise<DiaryState | undefined> {
  try {
    const client = await loadClient();
    return await (await client.diary(uid)).state(signal);
  } catch {
    return undefined;
  }
}

/** Reads the proposed practices of today. A failure shows nothing; /semana says what failed. */
async function findOpenAssignments(signal: AbortSignal): Promise<WeekAssignment[]> {
  try {
    const client = await loadClient();
    const assignments = await (await client.week()).list(signal);
    return assignments.filter(({ toDay }) => toDay >= calendarDay()).reverse();
  } catch {
    return [];
  }
}

async function load(services: Services, uid: string, { url, signal }: Request): Promise<Loaded> {
  const id = wantedIn(new URL(url).searchParams);
  const find = async (one: string) => {
    try {
      return (await services.pageData.practicePage(one, signal)).practice;
    } catch (error) {
      // After another error, the page shows the rest, and the device keeps its list.
      return hasCode(error, 'documents/not-found') ? null : undefined;
    }
  };
  const ids = lastOpened(uid);
  const [wanted, found, week] = await Promise.all([
    id === undefined ? undefined : find(id),
    Promise.all(ids.map(find)),
    findOpenAssignments(signal),
    favouritesOf(services, uid).load(),
  ]);
  const opened = found.filter((practice) => practice != null);
  forgetOpened(
    uid,
    ids.filter((_, index) => found[index] === null),
  );
  return { wanted, opened, week };
}

/** The page of a signed-in user, which opens after a sign-in. */
export function Component() {
  const { loaded, diary } = useLoaderData<typeof loader>();
  const session = useSession();
  if (session.status === 'loading') return <Loading />;
  return (
    <div className={styles.page}>
      <PageTitle title="Minha área" />
      {session.status === 'signed-in' ? (
        <Area key={session.session.user.uid} present={session} loaded={loaded} diary={diary} />
      ) : (
        <>
          <h1 className="page-title">Minha área</h1>
          <p className="lead">Entre na sua conta para ver o que é seu.</p>
          <p>
            <ButtonLink to="/login?para=minha-area">Entrar</ButtonLink>
          </p>
        </>
      )}
    </div>
  );
}

function Area({
  present,
  loaded,
  diary,
}: {
  present: SignedIn;
  loaded: Promise<Loaded>;
  diary: Promise<DiaryState | undefined>;
}) {
  const { uid } = present.session.user;
  const name = userOf(present)?.displayName;
  return (
    <>
      <header className={styles.head}>
        <h1 className="page-title">{name ? `Olá, ${shortName(name)}.` : 'Olá.'}</h1>
        <p className="lead">
          Esta é a sua área. O que você guarda e escreve, só você vê, até que compartilhe.
        </p>
      </header>
      <Diary uid={uid} state={diary} />
      <Deferred
        value={loaded}
        skeleton={
          <div className={styles.loading}>
            <SkeletonBar width="full" />
          </div>
        }
      >
        {({ wanted, opened, week }) => (
          <>
            {week.length > 0 && <Week assignments={week} />}
            {wanted !== undefined && <Wanted uid={uid} practice={wanted} />}
            <Kept uid={uid} />
            <Opened uid={uid} practices={opened} />
          </>
        )}
      </Deferred>
    </>
  );
}

/** The ways into the diary. The button takes its place at once; it goes only if the diary is paused. */
function Diary({ uid, state }: { uid: string; state: Promise<DiaryState | undefined> }) {
  const isChosen = useChosenUid() === uid;
  const { menu } = useServices().content;
  const button = (
    <p>
      <ButtonLink size="large" to="/diario/novo">
        Anotar como estou
      </ButtonLink>
    </p>
  );
  return (
    <section className={styles.section} aria-labelledby="diario">
      <h2 id="diario">Diário</h2>
      <Suspense fallback={button}>
        <Await resolve={state}>{(found) => (found?.pausedAt == null ? button : null)}</Await>
      </Suspense>
      <ul className={styles.ways}>
        <li>
          <Link to="/diario">Meu diário</Link>
          <Suspense>
            <Await resolve={state}>{(found) => <DiaryNote state={found} />}</Await>
          </Suspense>
        </li>
        <li>
          <Link to="/diario/consulta">Nota para a consulta</Link>
        </li>
        <li>
          <Link to="/aparelho">
            {isChosen ? 'O que abre sem internet neste aparelho' : 'Usar sem internet neste aparelho'}
          </Link>
        </li>
        {isChosen && menu.night && (
          <li>
            <Link to="/practices#noite">Práticas para a noite</Link>
          </li>
        )}
      </ul>
    </section>
  );
}

/** The practices that clinicians have proposed, newest last. */
function Week({ assignments }: { assignments: WeekAssignment[] }) {
  return (
    <section className={styles.section} aria-labelledby="semana">
      <div className={styles.line}>
        <h2 id="semana">Sua semana</h2>
        <Link to="/semana">
          Abrir <span className="visually-hidden">a sua semana</span>
        </Link>
      </div>
      <ul className={styles.ways}>
        {assignments.map(({ id, title, clinician }) => (
          <li key={id}>
            <span>{title}</span>
            <span className={styles.note}>{`de ${clinician.name}`}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function DiaryNote({ state }: { state: DiaryState | undefined }) {
  if (!state) return null;
  if (state.pausedAt !== null) return <span className={styles.note}>Em pausa</span>;
  return (
    state.lastDay && <span className={styles.note}>{`Última anotação: ${fullDate(state.lastDay)}`}</span>
  );
}

/** Says whether the practice that the user wanted before the sign-in is kept. If not, offers to keep it. */
function Wanted({ uid, practice }: { uid: string; practice: Activity | null }) {
  const { store, favourites } = useFavourites(uid);
  const succeeds = useSaving();
  if (!practice) return <Notice>A prática que você escolheu saiu da biblioteca.</Notice>;
  if (favourites?.documents.some(({ id }) => id === practice.id))
    return (
      <Notice
        action={
          <ButtonLink to={practicePath(practice)} variant="quiet" size="small">
            Abrir a prática
          </ButtonLink>
        }
      >
        <span>{`“${practice.title}” está guardada.`}</span>
      </Notice>
    );
  const keep = () =>
    void succeeds('Esta prática não foi guardada.', store.keep(practice), loginFor(practice.id));
  return (
    <Notice
      action={
        <Button size="small" onClick={keep}>
          Guardar
        </Button>
      }
    >
      <span>{`Guardar “${practice.title}” na sua área?`}</span>
    </Notice>
  );
}

/** The newest favourites, or an invitation to keep the first practice. */
function Kept({ uid }: { uid: string }) {
  const { favourites } = useFavourites(uid);
  if (!favourites) return null;
  const { documents } = favourites;
  return (
    <section className={styles.section} aria-labelledby="guardadas">
      <div className={styles.line}>
        <h2 id="guardadas">Práticas guardadas</h2>
        {documents.length > 0 && (
          <Link to="/minhas-praticas">
            {documents.length > shownFavourites ? `Ver as ${documents.length}` : 'Ver a lista'}
          </Link>
        )}
      </div>
      {documents.length === 0 ? (
        <DashedMessage headline="Comece por uma que caiba no seu dia.">
          <p>Três minutos já servem. Toque em Guardar, e ela espera por você aqui.</p>
          <ButtonLink to="/practices">Ver as práticas</ButtonLink>
        </DashedMessage>
      ) : (
        <PracticeTiles practices={documents.slice(0, shownFavourites)} />
      )}
    </section>
  );
}

/** The practices that the user has opened last on this device. */
function Opened({ uid, practices }: { uid: string; practices: readonly Activity[] }) {
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const shown = practices.filter(({ id }) => !removed.includes(id));
  if (shown.length === 0) return null;

  function remove(button: HTMLButtonElement, ids: readonly string[]) {
    // The focused button disappears, so the focus moves to the main content.
    button.closest('main')?.focus();
    forgetOpened(uid, ids);
    setRemoved([...removed, ...ids]);
  }

  return (
    <section className={styles.section} aria-labelledby="abertas">
      <div className={styles.line}>
        <h2 id="abertas">Abertas por último</h2>
        <Button
          variant="quiet"
          size="small"
          onClick={({ currentTarget }) =>
            remove(
              currentTarget,
              shown.map(({ id }) => id),
            )
          }
        >
          Apagar a lista
        </Button>
      </div>
      <p className={styles.note}>Esta lista fica só neste aparelho, e some quando você sai da conta.</p>
      <PracticeTiles
        small
        practices={shown}
        remove={{
          label: 'Apagar da lista',
          run: ({ id }, { currentTarget }) => remove(currentTarget, [id]),
        }}
      />
    </section>
  );
}
