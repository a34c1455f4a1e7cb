import type { PracticeCardData } from '#contract/practices/page.ts';
import { practicePath } from '#contract/practices/path.ts';
import type { PracticeEvent } from '#contract/practices/totals.ts';
import { videoOf } from '#contract/video.ts';
import { countUse } from '#web/app/count-use.ts';
import { noteOpened } from '#web/app/last-opened.ts';
import { useServices } from '#web/app/services.ts';
import { Hexaflex } from '../art/hexaflex.tsx';
import { Picture } from '../art/poster.tsx';
import { classNames } from '../class-names.ts';
import { FavouriteSlot } from '../favourites/favourite-slot.tsx';
import { Link } from '../link.tsx';
import { AudioPlayer } from '../media/audio-player.tsx';
import { Video } from '../media/video.tsx';
import { PlainText } from '../plain-text.tsx';

import { OutsideLink } from './outside-link.tsx';
import styles from './practice-card.module.css';
import { PracticeMeta } from './practice-meta.tsx';
import { kindOf } from './practice-names.ts';

/**
 * One practice: its video, its audio, and the beginning of its text. The title leads to its page, which has
 * the whole text.
 */
export function PracticeCard({
  practice,
  turn,
  preview = false,
}: {
  practice: PracticeCardData;
  /** See `posterTurns`. */
  turn: number | undefined;
  /** True if the practice is not saved yet. The card has no link or favourites button, and no use counts. */
  preview?: boolean;
}) {
  const { id, axis, title, url, excerpt, image, audio } = practice;
  const services = useServices();
  const video = videoOf(url);
  const kind = kindOf(practice);
  const picture = kind !== 'text' || image.startsWith('/');
  const count = (event: PracticeEvent['event']) => {
    if (preview) return;
    countUse(services, id, event);
    void noteOpened(services, id);
  };
  return (
    <article
      className={classNames(styles.card, styles[kind])}
      data-axis={axis}
      aria-labelledby={`pratica-${id}`}
    >
      {video && (
        <Video
          video={video}
          title={title}
          poster={<Picture activity={practice} turn={turn} />}
          onPlay={() => count('played')}
        />
      )}
      {!video && picture && (
        <div className={styles.picture}>
          <Picture activity={practice} turn={turn} />
        </div>
      )}
      <h2 className={styles.title} id={`pratica-${id}`}>
        {preview ? (
          title
        ) : (
          <Link to={practicePath(practice)} state={openedFromGrid}>
            {title}
          </Link>
        )}
      </h2>
      <PracticeMeta activity={practice} />
      <PlainText className={styles.words} text={excerpt} />
      {audio && (
        <AudioPlayer
          src={audio}
          title={title}
          onPlay={() => count('played')}
          onEnd={() => count('finished')}
        />
      )}
      <OutsideLink activity={practice} className={styles.link} />
      {!preview && <FavouriteSlot practice={practice} compact className={styles.favourite} />}
      {kind === 'text' && !picture && <Hexaflex lit={0} className={styles.bloom} />}
    </article>
  );
}

/** The history state of a practice's page, if the visitor has opened the page from the grid of /practices. */
const openedFromGrid = { fromGrid: true };

export const isOpenedFromGrid = (state: unknown) =>
  typeof state === 'object' && state !== null && 'fromGrid' in state;
