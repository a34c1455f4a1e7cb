import type { ReactNode } from 'react';
import type { Activity } from '#contract/activity.ts';
import { mainAxisOf } from '#contract/axes.ts';
import { imageWidths } from '#contract/image-widths.ts';
import { flowerAngles, petalPath, wavePath } from './petal.ts';
import styles from './poster.module.css';

/**
 * The picture of an activity: a file on this site, or a generated picture in the hue of the activity's axis.
 * This component loads no picture from another site, because the request would tell that site who visits this
 * page.
 */
export function Picture({
  activity,
  turn = 0,
}: {
  activity: Pick<Activity, 'id' | 'axis' | 'image'>;
  /** See `posterTurns`. */
  turn?: number | undefined;
}) {
  const { id, axis, image } = activity;
  if (image.startsWith('/'))
    return (
      <img
        className={styles.poster}
        src={image}
        {...smallerOf(image)}
        alt=""
        width="960"
        height="540"
        loading="lazy"
        decoding="async"
      />
    );
  return <GeneratedPoster axis={axis} seed={id} turn={turn} />;
}

/**
 * A generated picture in the hue of the nearest ancestor with `data-axis`.
 * @param seed the same seed and turn always give the same picture
 */
export function GeneratedPoster({
  axis,
  seed,
  turn = 0,
}: {
  axis: Activity['axis'];
  seed: string;
  turn?: number;
}) {
  const sum = hash(seed);
  return (
    <svg
      className={styles.poster}
      data-tones={(sum >>> 3) % 3}
      viewBox="0 0 320 180"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      focusable="false"
    >
      <g transform={(sum >>> 6) % 2 ? 'matrix(-1 0 0 1 320 0)' : undefined}>
        {compositions[kindOf(axis, seed, turn)]}
      </g>
    </svg>
  );
}

function kindOf(axis: Activity['axis'], seed: string, turn: number): Kind {
  const kinds = compositionsOf[mainAxisOf(axis)];
  return kinds[(hash(seed) + turn) % kinds.length] ?? kinds[0];
}

/**
 * Returns the turn of each picture on a page, by the picture's seed. A turn is the number of compositions
 * that a picture skips, so that neighbouring pictures have different compositions.
 */
export function posterTurns(
  pictures: readonly { axis: Activity['axis']; seed: string }[],
): Map<string, number> {
  const turns = new Map<string, number>();
  const before: Kind[] = [];
  for (const { axis, seed } of pictures) {
    const recent = before.slice(1 - compositionsOf[mainAxisOf(axis)].length);
    let turn = 0;
    while (recent.includes(kindOf(axis, seed, turn))) turn += 1;
    turns.set(seed, turn);
    before.push(kindOf(axis, seed, turn));
  }
  return turns;
}

/** Returns attributes that let the browser load a smaller version of an image from the file service. */
const smallerOf = (image: string) =>
  image.startsWith('/files/')
    ? {
        srcSet: imageWidths.map((width) => `${image}&width=${width} ${width}w`).join(', '),
        sizes: '(min-width: 60rem) 36rem, 100vw',
      }
    : {};

const petal = (x: number, y: number, angle: number, scale: number, tone: string | undefined) => (
  <path key={`${x} ${y} ${angle}`} className={tone} d={petalPath([x, y], angle, scale)} />
);

const { soft, mid, deep, sun } = styles;

type Kind = 'breath' | 'flower' | 'stream' | 'rings' | 'tiles' | 'hills' | 'sprout' | 'compass';

const compositions: Record<Kind, ReactNode> = {
  breath: (
    <>
      <rect width="320" height="180" className={soft} />
      <circle cx="214" cy="84" r="58" className={sun} />
      <path
        className={mid}
        d={wavePath({ count: 3, period: 180, height: 26, y: 92, shift: 60, bottom: 180 })}
      />
      <path
        className={deep}
        d={wavePath({ count: 3, period: 180, height: 26, y: 128, shift: 140, bottom: 180 })}
      />
    </>
  ),
  flower: (
    <>
      <rect width="320" height="180" className={deep} />
      {flowerAngles.map((angle, place) =>
        petal(226, 96, angle, 50, place === 1 ? sun : place % 2 ? mid : soft),
      )}
    </>
  ),
  // A stream seen from above, with pairs of leaves along it.
  stream: (
    <>
      <rect width="320" height="180" className={mid} />
      <path className={deep} d="M0 0h150c26 34 2 62-24 90s-40 58-8 90H0z" />
      <path className={soft} d="M250 0h70v180h-96c-30-34-8-64 20-92s36-56 6-88z" />
      {petal(168, 44, -50, 19, sun)}
      {petal(168, 44, 10, 19, sun)}
      {petal(196, 112, 160, 17, soft)}
      {petal(196, 112, 100, 17, soft)}
    </>
  ),
  rings: (
    <>
      <rect width="320" height="180" className={deep} />
      <circle cx="220" cy="84" r="150" className={mid} />
      <circle cx="220" cy="84" r="106" className={soft} />
      <circle cx="220" cy="84" r="64" className={mid} />
      <circle cx="220" cy="84" r="26" className={sun} />
    </>
  ),
  tiles: (
    <>
      <rect width="320" height="180" className={deep} />
      {petal(0, 0, 30, 60, mid)}
      {petal(207.8, 0, 150, 60, soft)}
      {petal(207.8, 0, 90, 60, mid)}
      {petal(104, 180, -90, 60, sun)}
      {petal(104, 180, -30, 60, mid)}
      {petal(311.8, 180, -150, 60, soft)}
      {petal(311.8, 180, -90, 60, mid)}
      {petal(207.8, 0, 30, 60, mid)}
    </>
  ),
  hills: (
    <>
      <rect width="320" height="180" className={soft} />
      <path className={sun} d="M214 112a46 46 0 0 1 92 0z" />
      <path className={mid} d="M-20 180c30-96 92-116 136-76s64 56 110 24 78-20 114 6v46z" />
      <path className={deep} d="M-20 186c50-52 118-40 168-16s110 14 192-26v36z" />
    </>
  ),
  sprout: (
    <>
      <rect width="320" height="180" className={soft} />
      <path
        className={deep}
        d={wavePath({ count: 2, period: 320, height: -34, y: 158, shift: 80, bottom: 180 })}
      />
      {petal(206, 132, -120, 34, mid)}
      {petal(206, 132, -60, 40, sun)}
      {petal(112, 142, -90, 26, mid)}
    </>
  ),
  compass: (
    <>
      <rect width="320" height="180" className={mid} />
      <circle cx="206" cy="90" r="78" className={soft} />
      {petal(206, 90, -30, 34, sun)}
      {petal(206, 90, 150, 34, deep)}
    </>
  ),
};

/** The order of the compositions for each axis. The seed's hash and the turn choose one of them. */
const compositionsOf: Record<ReturnType<typeof mainAxisOf>, readonly [Kind, ...Kind[]]> = {
  mind: ['breath', 'stream', 'rings', 'flower', 'tiles', 'hills', 'compass', 'sprout'],
  move: ['hills', 'breath', 'tiles', 'rings', 'compass', 'stream', 'sprout', 'flower'],
  nutri: ['flower', 'sprout', 'tiles', 'rings', 'hills', 'breath', 'stream', 'compass'],
  values: ['compass', 'flower', 'hills', 'sprout', 'tiles', 'rings', 'breath', 'stream'],
};

/** FNV-1a, with a last step that mixes the high bits into the low ones. */
function hash(text: string) {
  let sum = 0x811c9dc5;
  for (const letter of text) sum = Math.imul(sum ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  return (sum ^ (sum >>> 15)) >>> 0;
}
