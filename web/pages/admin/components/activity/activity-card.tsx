import { ArrowDown, ArrowUp, Check, EyeOff, GripVertical, Moon, Pencil, Trash2, X } from 'lucide-react';
import type { KeyboardEvent, PointerEvent } from 'react';
import { isPublic, type ListedActivity } from '#contract/activity.ts';
import { roundedMinutes, secondsOf } from '#contract/practices/length.ts';
import { videoIdOf } from '#contract/video.ts';
import { Picture } from '#web/components/art/poster.tsx';
import { IconButton, IconLink } from '#web/components/button.tsx';
import { classNames } from '#web/components/class-names.ts';
import { dateAndTime } from '#web/components/date-and-time.ts';
import { SkeletonBar } from '#web/components/deferred.tsx';
import { nightNames } from '#web/components/practice/practice-names.ts';
import styles from './activity-card.module.css';
import { editTarget } from './activity-paths.ts';
import { AxisChip } from './axis.tsx';

/** What a card needs so that the user can move it in its list. */
export type CardOrder = {
  /** True while the user moves the card step by step, with the arrow keys or buttons. */
  grabbed: boolean;
  first: boolean;
  last: boolean;
  onPointerDown: (event: PointerEvent<HTMLElement>) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  /** Picks up the card so that the user can move it step by step, or drops it if it is picked up. */
  onToggle: () => void;
  onStep: (steps: number) => void;
  onCancel: () => void;
};

/** An activity in an admin list: its summary, and buttons to read, edit, move and delete it. */
export function ActivityCard({
  activity,
  heading: Heading = 'h2',
  order,
  lifted = false,
  dropSide,
  onRead,
  onDelete,
}: {
  activity: ListedActivity;
  heading?: 'h2' | 'h3';
  /** If absent, the user cannot move the card. */
  order?: CardOrder | undefined;
  /** True while the card follows the pointer. */
  lifted?: boolean;
  /** The side of this card on which the dragged card would land. */
  dropSide?: 'before' | 'after' | undefined;
  onRead: () => void;
  onDelete: () => void;
}) {
  const { title, axis, night, editor, updatedAt } = activity;
  return (
    <article
      className={classNames(
        styles.card,
        order && styles.orderable,
        (lifted || order?.grabbed) && styles.lifted,
      )}
      data-axis={axis}
      data-drop={dropSide}
      data-lifted={lifted || undefined}
    >
      {order && <Handle title={title} order={order} />}
      <div className={styles.picture}>
        <Picture activity={activity} />
      </div>
      <div className={styles.text}>
        <Heading>
          <button type="button" className={styles.title} data-part="title" onClick={onRead}>
            {title}
          </button>
        </Heading>
        <p className={styles.meta}>
          <AxisChip axis={axis} />
          {!isPublic(activity) && (
            <span className={styles.hidden}>
              <EyeOff /> Fora do site
            </span>
          )}
          <span>{[kindOf(activity), ...minutesOf(activity)].join(' · ')}</span>
          {night && (
            <span className={styles.night}>
              <Moon /> <span>{nightNames[night]}</span>
            </span>
          )}
          <span>
            {editor && <span>{`${editor} · `}</span>}
            <time dateTime={new Date(updatedAt).toISOString()}>{dateAndTime(updatedAt)}</time>
          </span>
        </p>
      </div>
      {order?.grabbed ? (
        <div className={styles.tools}>
          <IconButton
            label={`Mover ${title} para cima`}
            aria-disabled={order.first || undefined}
            onClick={() => order.onStep(-1)}
          >
            <ArrowUp />
          </IconButton>
          <IconButton
            label={`Mover ${title} para baixo`}
            aria-disabled={order.last || undefined}
            onClick={() => order.onStep(1)}
          >
            <ArrowDown />
          </IconButton>
          <IconButton label="Cancelar a mudança" onClick={order.onCancel}>
            <X />
          </IconButton>
        </div>
      ) : (
        <div className={styles.tools}>
          <IconLink label={`Editar ${title}`} {...editTarget(activity)}>
            <Pencil />
          </IconLink>
          <IconButton label={`Deletar ${title}`} danger onClick={onDelete}>
            <Trash2 />
          </IconButton>
        </div>
      )}
    </article>
  );
}

/** The handle of a card. The user drags it, or clicks it to start and to end moving the card step by step. */
function Handle({ title, order }: { title: string; order: CardOrder }) {
  return (
    <IconButton
      label={order.grabbed ? `Soltar ${title} aqui` : `Mover ${title}`}
      className={styles.handle}
      data-part="handle"
      aria-pressed={order.grabbed}
      onPointerDown={order.onPointerDown}
      onKeyDown={order.grabbed ? order.onKeyDown : undefined}
      onClick={order.onToggle}
    >
      {order.grabbed ? <Check /> : <GripVertical />}
    </IconButton>
  );
}

function kindOf({ url, audio }: ListedActivity) {
  const video = videoIdOf(url) !== undefined;
  if (video && audio) return 'Vídeo e áudio';
  if (video) return 'Vídeo';
  return audio ? 'Texto e áudio' : 'Texto';
}

function minutesOf(activity: ListedActivity) {
  const seconds = secondsOf(activity);
  return seconds === undefined ? [] : [`${roundedMinutes(seconds)} min`];
}

/** The placeholder of a card that is loading. */
export function ActivityCardSkeleton() {
  return (
    <div className={styles.card} aria-hidden="true">
      <div className={styles.picture} data-empty />
      <div className={styles.text}>
        <SkeletonBar />
        <SkeletonBar width="short" />
      </div>
    </div>
  );
}
