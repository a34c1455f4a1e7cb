import { Pencil, Trash2 } from 'lucide-react';
import type { Activity } from '#contract/activity.ts';
import { videoIdOf } from '#contract/video.ts';
import styles from './activity-card.module.css';
import { Picture } from './art/poster.tsx';
import { AxisChip } from './axis-chip.tsx';
import { IconButton, IconLink } from './button.tsx';
import { dateAndTime } from './date-and-time.ts';
import { editTarget } from './edit-target.ts';
import { SkeletonBar } from './skeleton.tsx';

/** An activity as its keepers see it: what it is, and the ways to read, edit and delete it. */
export function ActivityCard({
  activity,
  onRead,
  onDelete,
}: {
  activity: Activity;
  onRead: () => void;
  onDelete: () => void;
}) {
  const { title, axis, updatedAt } = activity;
  return (
    <article className={styles.card} data-axis={axis}>
      <div className={styles.picture}>
        <Picture activity={activity} />
      </div>
      <div className={styles.words}>
        <h2>
          <button type="button" className={styles.title} onClick={onRead}>
            {title}
          </button>
        </h2>
        <p className={styles.meta}>
          <AxisChip axis={axis} />
          <span>{kindOf(activity)}</span>
          <time dateTime={new Date(updatedAt).toISOString()}>{dateAndTime(updatedAt)}</time>
        </p>
      </div>
      <div className={styles.tools}>
        <IconLink label={`Editar ${title}`} {...editTarget(activity)}>
          <Pencil />
        </IconLink>
        <IconButton label={`Deletar ${title}`} danger onClick={onDelete}>
          <Trash2 />
        </IconButton>
      </div>
    </article>
  );
}

function kindOf({ url, audio }: Activity) {
  const video = videoIdOf(url) !== undefined;
  if (video && audio) return 'Vídeo e áudio';
  if (video) return 'Vídeo';
  return audio ? 'Texto e áudio' : 'Texto';
}

/** The place of a card that is on its way. */
export function ActivityCardSkeleton() {
  return (
    <div className={styles.card} aria-hidden="true">
      <div className={styles.picture} data-empty />
      <div className={styles.words}>
        <SkeletonBar />
        <SkeletonBar width="short" />
      </div>
    </div>
  );
}
