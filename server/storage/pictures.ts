import { imageWidths, storageMessages } from '#contract/storage.ts';
import { AppError } from '../errors.ts';

/** The larger side of what a telephone takes, squared: 50 megapixels. */
const maxPixels = 50_000_000;
const maxWaiting = 8;
const jpegQuality = 88;
const webpQuality = 78;
const avifQuality = 55;
/** From 0 to 9; twice as fast as the usual 4, for a twentieth more bytes. */
const avifEffort = 2;

/** `full` is the picture itself without what the camera wrote into it; the others are narrower. */
export type Version = 'full' | `${(typeof imageWidths)[number]}.${'avif' | 'webp'}`;

const narrow = imageWidths.flatMap((width) => [`${width}.avif`, `${width}.webp`] as const);
const versions: readonly Version[] = ['full', ...narrow];

export const versionKey = (key: string, version: Version) => `${key}.${version}`;
export const versionKeys = (key: string) => versions.map((version) => versionKey(key, version));

export type Picture = { width: number; height: number; versions: Map<Version, Buffer> };

let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/**
 * The versions in which a picture is served: turned as the camera said, without metadata (place, time, camera), in
 * sRGB, the first image of an animation. One picture at a time, so that memory and the rest of the site are spared.
 * @throws AppError `request/too-large` for too many pixels, `request/unsupported-type` for what is no whole picture,
 *   `server/unavailable` while too many wait
 */
export async function preparePicture(content: Buffer, path: string, type: string): Promise<Picture> {
  if (waiting >= maxWaiting) throw new AppError('server/unavailable');
  waiting += 1;
  const turn = last.then(() => makeVersions(content, path, type));
  last = turn.catch(() => {});
  try {
    return await turn;
  } finally {
    waiting -= 1;
  }
}

async function makeVersions(content: Buffer, path: string, type: string): Promise<Picture> {
  const { default: sharp } = await import('sharp');
  sharp.concurrency(1);
  sharp.cache(false);
  const open = () => sharp(content, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 }).autoOrient();
  try {
    const format = type.replace('image/', '') as 'jpeg' | 'png' | 'webp' | 'avif';
    const { data, info } = await open()
      .toFormat(format, format === 'jpeg' ? { quality: jpegQuality } : {})
      .toBuffer({ resolveWithObject: true });
    const made = new Map<Version, Buffer>([['full', data]]);
    for (const width of imageWidths) {
      const resized = open().resize({ width, withoutEnlargement: true });
      made.set(`${width}.webp`, await resized.clone().webp({ quality: webpQuality }).toBuffer());
      made.set(
        `${width}.avif`,
        await resized.clone().avif({ quality: avifQuality, effort: avifEffort }).toBuffer(),
      );
    }
    return { width: info.width, height: info.height, versions: made };
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : '';
    if (/pixel limit|too large/i.test(message))
      throw new AppError('request/too-large', {
        message: storageMessages.tooManyPixels(path, maxPixels),
        cause,
      });
    throw new AppError('request/unsupported-type', {
      message: storageMessages.unsupportedType(path, [type]),
      cause,
    });
  }
}
