import type { Readable } from 'node:stream';
import type { IAudioMetadata } from 'music-metadata';
import { lazily } from '#server/concurrency.ts';
import type { AppContext } from '#server/context.ts';
import { AppError } from '#server/http/errors.ts';
import { ContentMissing } from '../store/file-store.ts';
import { getFileByToken } from './files.ts';
import { createFrameCounter } from './mpeg-frames.ts';

/** Loads the package when the first audio is read, so that the server starts faster. */
const loadParser = lazily(() => import('music-metadata'));

/**
 * Returns the length of a stored audio file in seconds; undefined if it cannot be read from the file.
 * @throws AppError `storage/object-not-found` when the path or the token is wrong or the content is missing;
 * `server/unavailable`
 */
export async function readAudioSeconds(
  { database, fileStore }: Pick<AppContext, 'database' | 'fileStore'>,
  { path, token }: { path: string; token: string },
): Promise<number | undefined> {
  const { key, contentType, sizeBytes } = await getFileByToken(database, path, token);
  const open = (): Promise<Readable> =>
    fileStore.read(key).catch((cause: unknown) => {
      if (!(cause instanceof ContentMissing)) throw cause;
      throw new AppError('storage/object-not-found', { cause });
    });
  if (contentType === 'audio/mpeg' || contentType === 'audio/aac') {
    const counter = createFrameCounter();
    for await (const chunk of await open()) counter.add(chunk as Buffer);
    return counter.end().seconds || undefined;
  }
  const { parseStream } = await loadParser();
  async function parse(options: { duration: boolean }): Promise<IAudioMetadata | undefined> {
    const content = await open();
    let failure: unknown;
    content.once('error', (error) => {
      failure = error;
    });
    try {
      return await parseStream(
        content,
        { mimeType: contentType, size: sizeBytes },
        { ...options, skipCovers: true },
      );
    } catch {
      // A damaged file has no length, but a failure of the store is an error.
      if (failure !== undefined) throw failure;
      return undefined;
    } finally {
      content.destroy();
    }
  }
  // Most files state their length at the start. For the others, the parser adds the lengths of all parts.
  const seconds =
    (await parse({ duration: false }))?.format.duration ?? (await parse({ duration: true }))?.format.duration;
  return seconds !== undefined && Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}
