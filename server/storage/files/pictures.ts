import path from 'node:path';
import PQueue from 'p-queue';
import { imageWidths } from '#contract/image-widths.ts';
import { limits } from '#contract/limits.ts';
import { type FileKind, storageMessages } from '#contract/storage.ts';
import { AppError } from '#server/http/errors.ts';
import { LimitReached, runJob } from '#server/limited-process.ts';
import { programFolder } from '#server/program.ts';

/**
 * `full` is the picture in full size, without metadata. The other names contain the maximum width in pixels.
 */
export type Version = 'full' | `${(typeof imageWidths)[number]}.${'avif' | 'webp'}`;

const narrow = imageWidths.flatMap((width) => [`${width}.avif`, `${width}.webp`] as const);
const allVersions: readonly Version[] = ['full', ...narrow];

export const versionKey = (key: string, version: Version) => `${key}.${version}`;
export const versionKeys = (key: string) => allVersions.map((version) => versionKey(key, version));

export type Picture = { width: number; height: number; versions: Map<Version, Uint8Array> };

/** The message to the process of picture-process.ts, and its result. */
export type PictureJob = { content: Uint8Array; type: string; maxPixels: number };
export type PictureResult =
  | { width: number; height: number; versions: [Version, Uint8Array][] }
  | { refused: 'pixels' | 'content'; reason?: string };

type PictureRequest = { content: Uint8Array; path: string; type: string; kind: FileKind; ownerId: string };

const megapixel = 1_000_000;
/** The maximum number of pixels in a library picture: lower for WebP and AVIF, whose encoding is slower. */
const imageMaxPixels: Record<string, number> = {
  'image/jpeg': 50 * megapixel,
  'image/png': 50 * megapixel,
  'image/webp': 16 * megapixel,
  'image/avif': 8 * megapixel,
};

const maxWaiting = 8;
/** The maximum number of waiting profile pictures. Half of the queue stays free for the library. */
const maxWaitingProfilePictures = 4;
const program = path.join(programFolder, 'server/storage/files/picture-process.ts');
/** The memory limit of the process, in KiB. */
const memoryLimits: Record<FileKind, number> = {
  image: 1_600 * 1_024,
  'profile-picture': 1_000 * 1_024,
  audio: 0,
};

const queue = new PQueue({ concurrency: 1 });
const [profilePriority, libraryPriority] = [0, 1];
/** The users whose profile picture is waiting. */
const waitingOwners = new Set<string>();

/**
 * Makes the versions in which a picture is served: rotated as its EXIF says, without metadata (location,
 * time, camera), in sRGB, only the first image of an animation. Pictures are prepared one at a time, each in
 * a separate process with limited memory and time. Pictures of the library have priority.
 * @throws AppError `request/too-large` for too many pixels, `storage/incomplete-file` for a picture that
 * cannot be decoded, `server/unavailable` when the queue is full for this kind of picture, or when another
 * profile picture of the same user is waiting
 */
export async function preparePicture(request: PictureRequest): Promise<Picture> {
  const { kind, ownerId } = request;
  if (kind !== 'profile-picture') {
    if (queue.size >= maxWaiting) throw new AppError('server/unavailable');
    return queue.add(() => prepare(request), { priority: libraryPriority });
  }
  const isFull =
    queue.size >= maxWaiting ||
    queue.sizeBy({ priority: profilePriority }) >= maxWaitingProfilePictures ||
    waitingOwners.has(ownerId);
  if (isFull) throw new AppError('server/unavailable');
  waitingOwners.add(ownerId);
  const begin = () => {
    waitingOwners.delete(ownerId);
    return prepare(request);
  };
  return queue.add(begin, { priority: profilePriority });
}

async function prepare({ content, kind, path: filePath, type }: PictureRequest): Promise<Picture> {
  const maxPixels =
    kind === 'profile-picture' ? limits.profilePictureMaxPixels : (imageMaxPixels[type] ?? megapixel);
  const result = await runProcess({ content, type, maxPixels }, memoryLimits[kind]);
  if (!('refused' in result)) return { ...result, versions: new Map(result.versions) };
  throw result.refused === 'pixels'
    ? new AppError('request/too-large', { message: storageMessages.tooManyPixels(filePath, maxPixels) })
    : new AppError('storage/incomplete-file', {
        message: storageMessages.incompleteFile(filePath),
        cause: result.reason,
      });
}

/**
 * Runs the process. A picture that exceeds the process's memory or processor time gets the same error as a
 * picture with too many pixels.
 * @throws AppError `server/unavailable` when a busy machine gives the process too little time
 */
async function runProcess(job: PictureJob, memoryKilobytes: number): Promise<PictureResult> {
  try {
    return await runJob<PictureJob, PictureResult>(program, job, { memoryKilobytes });
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
    if (error.limit === 'resources') return { refused: 'pixels' };
    throw new AppError('server/unavailable');
  }
}
