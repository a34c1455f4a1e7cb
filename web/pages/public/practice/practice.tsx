import { Suspense, useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Activity, ActivitySummary } from '#contract/activity.ts';
import { practicesPath } from '#contract/practices/choice.ts';
import { descriptionOf } from '#contract/practices/excerpt.ts';
import { needIdsIn } from '#contract/practices/needs.ts';
import { practicePath } from '#contract/practices/path.ts';
import { registrationsOf } from '#contract/site/registrations.ts';
import { videoOf } from '#contract/video.ts';
import { loadClient } from '#web/app/api.ts';
import { countUse } from '#web/app/count-use.ts';
import { chosenUid } from '#web/app/device-memory.ts';
import { noteOpened } from '#web/app/last-opened.ts';
import { lazyComponent } from '#web/app/lazy-component.ts';
import { useContent, useServices, useSession } from '#web/app/services.ts';
import { isAdmin } from '#web/app/session.ts';
import { Picture } from '#web/components/art/poster.tsx';
import { ButtonLink } from '#web/components/button.tsx';
import { Crisis } from '#web/components/crisis.tsx';
import { FavouriteSlot } from '#web/components/favourites/favourite-slot.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { Link, opensHere } from '#web/components/link.tsx';
import { AudioPlayer } from '#web/components/media/audio-player.tsx';
import { Video } from '#web/components/media/video.tsx';
import { PlainText } from '#web/components/plain-text.tsx';
import { OutsideLink } from '#web/components/practice/outside-link.tsx';
import { isOpenedFromGrid } from '#web/components/practice/practice-card.tsx';
import { ArrowLeft } from '#web/components/practice/practice-icons.tsx';
import { PracticeMeta } from '#web/components/practice/practice-meta.tsx';
import { kindOf } from '#web/components/practice/practice-names.ts';
import { QrCode } from '#web/components/qr-code.tsx';
import { OtherPractices } from './other-practices.tsx';
import styles from './practice.module.css';
import { Share } from './share.tsx';

/** The page of one practice. */
export function Practice({ practice, others }: { practice: Activity; others: readonly ActivitySummary[] }) {
  const { id, axis, title, url, content, image, audio } = practice;
  const services = useServices();
  const { countsUse } = useContent('practices');
  useEffect(() => {
    if (countsUse) countUse(services, id, 'opened');
  }, [countsUse, services, id]);
  useEffect(() => void noteOpened(services, id), [services, id]);
  const video = videoOf(url);
  const path = practicePath(practice);
  return (
    <article className={styles.page} data-axis={axis}>
      <PageTitle title={title} description={descriptionOf(content)} path={path} />
      <div className={styles.top}>
        <BackToGrid />
        <FavouriteSlot practice={practice} />
      </div>
      <header className={styles.head}>
        <h1 className="page-title">{title}</h1>
        <PracticeMeta activity={practice} />
        <NeedLinks practice={practice} />
      </header>
      <div className={styles.body}>
        {video && (
          <Video
            video={video}
            title={title}
            poster={<Picture activity={practice} />}
            onPlay={() => countUse(services, id, 'played')}
          />
        )}
        {!video && (kindOf(practice) !== 'text' || image.startsWith('/')) && (
          <div className={styles.picture}>
            <Picture activity={practice} />
          </div>
        )}
        {audio && (
          <div className={styles.audio}>
            <AudioPlayer
              src={audio}
              title={title}
              onPlay={() => countUse(services, id, 'played')}
              onEnd={() => countUse(services, id, 'finished')}
            />
          </div>
        )}
        {audio.startsWith('/') && <SaveAudioSlot src={audio} title={title} path={path} />}
        <PlainText className={styles.text} text={content} />
        <OutsideLink activity={practice} className={styles.link} />
        <DiarySlot id={id} />
        <ProposeSlot id={id} />
      </div>
      <div className={styles.side}>
        <Share title={title} path={path} />
        <p className={styles.note}>
          As práticas apoiam o tratamento, mas não o substituem, nem substituem nenhum remédio. Se esta
          trouxer desconforto forte, pare e conte na próxima consulta.
        </p>
        <Crisis
          title="Se agora está pesado demais"
          lead="Prática nenhuma precisa dar conta disso. Fale com alguém."
        />
      </div>
      <Printed path={path} />
      <OtherPractices className={styles.others} practices={others} title="Outras práticas" />
    </article>
  );
}

/**
 * Leads a signed-in user to a new entry of the diary. Visitors and previews have no diary. The row is empty
 * before the session is known, so that nothing moves then.
 */
function DiarySlot({ id }: { id: string }) {
  const session = useSession();
  const { basename } = useServices().content.site;
  const hasDiary = session.status === 'signed-in' && basename === undefined;
  return (
    <div className={styles.after}>
      {hasDiary && (
        <ButtonLink variant="quiet" size="small" to={`/diario/novo?pratica=${id}`}>
          Anotar como foi
        </ButtonLink>
      )}
    </div>
  );
}

/** Saves an audio file for use without network. */
const SaveAudio = lazyComponent(
  'offline/save-audio',
  async () => (await import('#web/offline/save-audio.tsx')).SaveAudio,
);

/** Lets a user save the audio on a device that the user has chosen. Visitors load nothing for it. */
function SaveAudioSlot(audio: { src: string; title: string; path: string }) {
  const [chosen, setChosen] = useState(false);
  useEffect(() => setChosen(chosenUid() !== undefined), []);
  if (!chosen) return null;
  return (
    <Suspense>
      <SaveAudio {...audio} />
    </Suspense>
  );
}

/** Leads a clinician to the form that proposes the practice to a patient. */
function ProposeSlot({ id }: { id: string }) {
  const session = useSession();
  const uid = isAdmin(session) && session.status === 'signed-in' ? session.session.user.uid : undefined;
  const [isClinician, setIsClinician] = useState(false);
  useEffect(() => {
    if (uid === undefined) return;
    loadClient()
      .then(async (client) => (await client.clinicians()).list())
      .then(
        (clinicians) => setIsClinician(clinicians.some((one) => one.uid === uid)),
        () => undefined,
      );
  }, [uid]);
  if (uid === undefined || !isClinician) return null;
  return (
    <ButtonLink className={styles.after} variant="quiet" to={`/admin/propor?pratica=${id}`}>
      Propor a alguém
    </ButtonLink>
  );
}

/** Links to the other practices for the same needs. */
function NeedLinks({ practice }: { practice: Activity }) {
  const ids = needIdsIn(practice.needs);
  const needs = useContent('practices').needs.filter(({ id }) => ids.includes(id));
  if (needs.length === 0) return null;
  return (
    <ul className={styles.needs} aria-label="Ajuda com">
      {needs.map(({ id, name }) => (
        <li key={id}>
          <Link to={practicesPath({ need: id })}>{name}</Link>
        </li>
      ))}
    </ul>
  );
}

/** A link back to the place in the grid that the visitor came from, or else to all practices. */
function BackToGrid() {
  const { state } = useLocation();
  const navigate = useNavigate();
  return (
    <Link
      className={styles.back}
      to={practicesPath({})}
      onClick={(event) => {
        if (!isOpenedFromGrid(state) || !opensHere(event)) return;
        event.preventDefault();
        void navigate(-1);
      }}
    >
      <ArrowLeft /> Todas as práticas
    </Link>
  );
}

/** The end of a printed practice: its URL, also as a QR code, the doctor, and help in a crisis. */
function Printed({ path }: { path: string }) {
  const url = useServices().content.site.origin + path;
  const identity = useContent('identity');
  return (
    <div className={styles.printed}>
      <QrCode text={url} label="O endereço desta prática" />
      <div>
        <p>{url}</p>
        <p>{[identity.doctorName, ...registrationsOf(identity)].join(' · ')}</p>
        <p>Se agora está pesado demais, ligue 188 (CVV, dia e noite). Em risco imediato, 192 (SAMU).</p>
      </div>
    </div>
  );
}
