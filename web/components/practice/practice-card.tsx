import type { Activity } from '#contract/activity.ts';
import { practicePath } from '#contract/practices/path.ts';
import type { PracticeEvent } from '#contract/practices/totals.ts';
import { videoIdOf } from '#contract/video.ts';
import { countUse } from '#web/app/count-use.ts';
import { useServices } from '#web/app/services-context.ts';
import { Hexaflex } from '../art/hexaflex.tsx';
import { Picture } from '../art/poster.tsx';
import { classNames } from '../class-names.ts';
import { FavouriteSlot } from '../favourites/favourite-slot.tsx';
import { Link } from '../link.tsx';
import { AudioPlayer } from '../media/audio-player.tsx';
import { Video } from '../media/video.tsx';
import { openedFromGrid } from './opened-from-grid.ts';
import { OutsideLink } from './outside-link.tsx';
import styles from './practice-card.module.css';
import { kindOf } from './practice-kind.ts';
import { PracticeMeta } from './practice-meta.tsx';
import { PracticeText } from './practice-text.tsx';

/** One practice: its video, its audio, or only its text. */
export function PracticeCard({
  activity,
  turn,
  wide = false,
  preview = false,
}: {
  activity: Activity;
  /** See `posterTurns`. */
  turn: number | undefined;
  wide?: boolean;
  /** True if the practice is not saved yet. The card has no link or favourites button, and counts no uses. */
  preview?: boolean;
}) {
  const { id, axis, title, url, content, image, audio } = activity;
  const services = useServices();
  const videoId = videoIdOf(url);
  const kind = kindOf(activity);
  const picture = kind !== 'text' || image.startsWith('/');
  const count = (event: PracticeEvent['event']) => !preview && countUse(services, id, event);
  return (
    <article
      className={classNames(styles.card, styles[kind], wide && styles.wide)}
      data-axis={axis}
      aria-labelledby={`pratica-${id}`}
    >
      {videoId && (
        <Video
          videoId={videoId}
          title={title}
          poster={<Picture activity={activity} turn={turn} />}
          onPlay={() => count('played')}
        />
      )}
      {!videoId && picture && (
        <div className={styles.picture}>
          <Picture activity={activity} turn={turn} />
        </div>
      )}
      <h2 className={styles.title} id={`pratica-${id}`}>
        {preview ? (
          title
        ) : (
          <Link to={practicePath(activity)} state={openedFromGrid}>
            {title}
          </Link>
        )}
      </h2>
      <PracticeMeta activity={activity} />
      <PracticeText
        text={content}
        title={title}
        shown={kind === 'text' ? 420 : 200}
        onOpen={() => count('opened')}
      />
      {audio && (
        <AudioPlayer
          src={audio}
          title={title}
          onPlay={() => count('played')}
          onEnd={() => count('finished')}
        />
      )}
      <OutsideLink activity={activity} className={styles.link} />
      {!preview && <FavouriteSlot practice={activity} compact className={styles.favourite} />}
      {kind === 'text' && !picture && <Hexaflex lit={0} className={styles.bloom} />}
    </article>
  );
}
