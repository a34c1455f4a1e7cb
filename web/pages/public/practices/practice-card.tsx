import type { Activity } from '#contract/activity.ts';
import { videoIdOf, videoWatchUrl } from '#contract/video.ts';
import { Hexaflex } from '#web/components/art/hexaflex.tsx';
import { Picture } from '#web/components/art/poster.tsx';
import { AxisIcon } from '#web/components/axis-icon.tsx';
import { publicAxisNames } from '#web/components/axis-names.ts';
import { classNames } from '#web/components/class-names.ts';
import { hostName } from '#web/components/host-name.ts';
import { ArrowUpRight, Play } from '#web/components/icons.tsx';
import { AudioPlayer } from '#web/components/media/audio-player.tsx';
import { Video } from '#web/components/media/video.tsx';
import styles from './practice-card.module.css';
import { AudioLines, FileText } from './practice-icons.tsx';
import { PracticeText } from './practice-text.tsx';

/** Texts without a picture have no poster. */
const kindOf = ({ url, audio }: Activity) => (videoIdOf(url) ? 'video' : audio ? 'audio' : 'text');

/** Whether the card of an activity shows a generated poster. */
export const hasGeneratedPoster = (activity: Activity) =>
  kindOf(activity) !== 'text' && !activity.image.startsWith('/');

/** One practice: its video, its audio, or only its text. */
export function PracticeCard({
  activity,
  turn,
  wide = false,
}: {
  activity: Activity;
  /** See `posterTurns`. */
  turn: number | undefined;
  wide?: boolean;
}) {
  const { id, axis, title, url, content, image, audio } = activity;
  const videoId = videoIdOf(url);
  const kind = kindOf(activity);
  const picture = kind !== 'text' || image.startsWith('/');
  return (
    <article
      className={classNames(styles.card, styles[kind], wide && styles.wide)}
      data-axis={axis}
      aria-labelledby={`pratica-${id}`}
    >
      {videoId && (
        <Video videoId={videoId} title={title} poster={<Picture activity={activity} turn={turn} />} />
      )}
      {!videoId && picture && (
        <div className={styles.picture}>
          <Picture activity={activity} turn={turn} />
        </div>
      )}
      <h2 className={styles.title} id={`pratica-${id}`}>
        {title}
      </h2>
      <ul className={styles.meta}>
        <li>
          <AxisIcon axis={axis} /> {publicAxisNames[axis]}
        </li>
        {videoId && (
          <li>
            <Play /> Vídeo
          </li>
        )}
        {audio && (
          <li>
            <AudioLines /> Áudio
          </li>
        )}
        {kind === 'text' && (
          <li>
            <FileText /> Leitura
          </li>
        )}
      </ul>
      <PracticeText text={content} title={title} shown={kind === 'text' ? 420 : 200} />
      {audio && <AudioPlayer src={audio} title={title} />}
      <a className={styles.link} href={videoId ? videoWatchUrl(videoId) : url} target="_blank" rel="noopener">
        <span>
          {videoId ? 'Assistir no YouTube' : `Abrir em ${hostName(url)}`}
          <span className="visually-hidden">: {title} (abre em outra aba)</span>
        </span>
        <ArrowUpRight />
      </a>
      {kind === 'text' && !picture && <Hexaflex lit={0} className={styles.bloom} />}
    </article>
  );
}
