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
  return (
    <svg
      className={styles.poster}
      data-tones={(hash(seed) >>> 3) % 6}
      viewBox="0 0 320 180"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      focusable="false"
    >
      <g>
        {compositions[kindOf(axis, seed, turn)]((place, from, to) =>
          between(from, to, hash(`${seed} ${place}`)),
        )}
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

type Kind =
  | 'breath'
  | 'flower'
  | 'stream'
  | 'rings'
  | 'tiles'
  | 'hills'
  | 'sprout'
  | 'compass'
  | 'sunrise'
  | 'reeds';

/** Returns a whole number from a range. The seed and `place` alone decide which. */
type Vary = (place: number, from: number, to: number) => number;

const between = (from: number, to: number, sum: number) => from + (sum % (to - from + 1));

const upTo = (count: number) => [...new Array(count).keys()];

const ground = (tone: string | undefined) => <rect width="320" height="180" className={tone} />;
const circle = (cx: number, cy: number, r: number, tone: string | undefined) => (
  <circle key={`${cx} ${r}`} cx={cx} cy={cy} r={r} className={tone} />
);

/** Each composition keeps the left corner at the bottom quiet, because a video has its play button there. */
const compositions: Record<Kind, (vary: Vary) => ReactNode> = {
  breath(vary) {
    const period = vary(0, 130, 220);
    const height = vary(1, 14, 30);
    return (
      <>
        {ground(soft)}
        {circle(vary(2, 150, 260), vary(3, 54, 96), vary(4, 34, 66), sun)}
        <path
          className={mid}
          d={wavePath({ count: 5, period, height, y: vary(5, 84, 104), shift: vary(6, 0, 130), bottom: 180 })}
        />
        <path
          className={deep}
          d={wavePath({
            count: 5,
            period,
            height,
            y: vary(7, 124, 140),
            shift: vary(8, 0, 130),
            bottom: 180,
          })}
        />
      </>
    );
  },
  flower(vary) {
    const [x, y, scale] = [vary(0, 196, 244), vary(1, 74, 110), vary(2, 34, 56)];
    const [lit, turned] = [vary(3, 0, 5), vary(4, 0, 1) * 30];
    return (
      <>
        {ground(vary(5, 0, 1) ? deep : mid)}
        {flowerAngles.map((angle, place) =>
          petal(x, y, angle + turned, scale, place === lit ? sun : place % 2 ? soft : deepOr(vary(5, 0, 1))),
        )}
      </>
    );
  },
  // A stream seen from above, with pairs of leaves along it.
  stream(vary) {
    const [first, second] = [vary(0, -20, 30), vary(1, -40, 40)];
    const [x, y] = [vary(2, 154, 182), vary(3, 34, 62)];
    return (
      <>
        {ground(mid)}
        <path className={deep} d="M0 0h150c26 34 2 62-24 90s-40 58-8 90H0z" />
        <path className={soft} d="M250 0h70v180h-96c-30-34-8-64 20-92s36-56 6-88z" />
        {petal(x, y, first - 50, vary(4, 15, 22), sun)}
        {petal(x, y, first + 10, vary(4, 15, 22), sun)}
        {petal(x + 28, y + 66, second + 160, vary(5, 13, 19), soft)}
        {petal(x + 28, y + 66, second + 100, vary(5, 13, 19), soft)}
      </>
    );
  },
  rings(vary) {
    const [x, y] = [vary(0, 176, 256), vary(1, 56, 124)];
    const [count, step] = [vary(2, 3, 5), vary(3, 26, 38)];
    return (
      <>
        {ground(deep)}
        {upTo(count).map((place) =>
          circle(x, y, (count - place) * step, place === count - 1 ? sun : place % 2 ? soft : mid),
        )}
      </>
    );
  },
  // A part of a triangular tiling. Two petals of six are lit.
  tiles(vary) {
    const lit = vary(0, 0, 5);
    const other = (lit + vary(1, 1, 5)) % 6;
    const places: [x: number, y: number, angle: number][] = [
      [0, 0, 30],
      [207.8, 0, 150],
      [207.8, 0, 90],
      [207.8, 0, 30],
      [311.8, 180, -150],
      [311.8, 180, -90],
      [104, 180, -90],
      [104, 180, -30],
    ];
    return (
      <>
        {ground(deep)}
        {places.map(([x, y, angle], place) =>
          petal(x, y, angle, 60, place === lit ? sun : place === other ? soft : mid),
        )}
      </>
    );
  },
  hills(vary) {
    const [far, near] = [vary(0, 60, 104), vary(1, 110, 136)];
    const x = vary(2, 190, 280);
    return (
      <>
        {ground(soft)}
        {circle(x, far + vary(3, -14, 14), vary(4, 28, 52), sun)}
        <path
          className={mid}
          d={wavePath({
            count: 3,
            period: vary(5, 200, 300),
            height: 44,
            y: far,
            shift: vary(6, 40, 190),
            bottom: 180,
          })}
        />
        <path
          className={deep}
          d={wavePath({
            count: 3,
            period: vary(7, 240, 360),
            height: 30,
            y: near,
            shift: vary(8, 40, 220),
            bottom: 180,
          })}
        />
      </>
    );
  },
  sprout(vary) {
    const [x, lean, count] = [vary(0, 180, 236), vary(1, -14, 14), vary(2, 2, 4)];
    const spread = count === 2 ? 60 : 116 / (count - 1);
    return (
      <>
        {ground(soft)}
        <path
          className={deep}
          d={wavePath({ count: 2, period: 320, height: -34, y: 158, shift: vary(3, 40, 120), bottom: 180 })}
        />
        {upTo(count).map((place) =>
          petal(
            x,
            134,
            lean - 90 + (place - (count - 1) / 2) * spread,
            vary(4 + place, 24, 42),
            place === vary(9, 0, count - 1) ? sun : mid,
          ),
        )}
        {petal(x - vary(10, 84, 116), 144, -90 + lean, vary(11, 15, 26), mid)}
      </>
    );
  },
  compass(vary) {
    const [x, y, angle] = [vary(0, 186, 236), vary(1, 76, 104), vary(2, 0, 179)];
    const radius = vary(3, 58, 84);
    return (
      <>
        {ground(mid)}
        {circle(x, y, radius, soft)}
        {petal(x, y, angle - 90, radius * 0.42, sun)}
        {petal(x, y, angle + 90, radius * 0.42, deep)}
      </>
    );
  },
  sunrise(vary) {
    const [x, count, step] = [vary(0, 180, 250), vary(1, 3, 4), vary(2, 28, 38)];
    return (
      <>
        {ground(soft)}
        {upTo(count).map((place) =>
          circle(x, 150, (count - place) * step, place === count - 1 ? sun : place % 2 ? soft : mid),
        )}
        <path
          className={deep}
          d={wavePath({
            count: 4,
            period: 160,
            height: 12,
            y: vary(3, 134, 146),
            shift: vary(4, 0, 120),
            bottom: 180,
          })}
        />
      </>
    );
  },
  // Leaves of several heights, one of them lit.
  reeds(vary) {
    const [count, lit] = [vary(0, 4, 6), vary(1, 1, 3)];
    return (
      <>
        {ground(vary(2, 0, 1) ? soft : mid)}
        {circle(vary(3, 120, 250), vary(4, 36, 70), vary(5, 20, 34), vary(2, 0, 1) ? mid : soft)}
        {upTo(count).map((place) =>
          petal(
            306 - place * 46,
            196,
            -90 + vary(6 + place, -12, 12),
            vary(16 + place, 28, 46),
            place === lit ? sun : deep,
          ),
        )}
      </>
    );
  },
};

const deepOr = (isMid: number) => (isMid ? mid : deep);

/** The order of the compositions for each axis. The seed's hash and the turn choose one of them. */
const compositionsOf: Record<ReturnType<typeof mainAxisOf>, readonly [Kind, ...Kind[]]> = {
  mind: ['breath', 'stream', 'rings', 'flower', 'sunrise', 'tiles', 'hills', 'reeds', 'compass', 'sprout'],
  move: ['hills', 'breath', 'reeds', 'tiles', 'rings', 'compass', 'sunrise', 'stream', 'sprout', 'flower'],
  nutri: ['flower', 'sprout', 'sunrise', 'tiles', 'rings', 'reeds', 'hills', 'breath', 'stream', 'compass'],
  values: ['compass', 'flower', 'hills', 'sunrise', 'sprout', 'tiles', 'reeds', 'rings', 'breath', 'stream'],
};

/** FNV-1a, with a last step that mixes the high bits into the low ones. */
function hash(text: string) {
  let sum = 0x811c9dc5;
  for (const letter of text) sum = Math.imul(sum ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  return (sum ^ (sum >>> 15)) >>> 0;
}
