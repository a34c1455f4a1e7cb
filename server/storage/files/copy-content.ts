import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { FileStore } from '../store/file-store.ts';
import type { FileContent } from './files.ts';

/** Thrown if the bytes of a content are not those that were uploaded. */
export class OtherContent extends Error {}

/**
 * Yields the chunks of `source`.
 * @param afterUse called with each chunk when the reader asks for the next one
 * @throws OtherContent if they are not the content, at the latest at the end; the reason of `signal` when it
 * is aborted
 */
export async function* requireSame(
  source: AsyncIterable<Uint8Array>,
  { bytes, sha256 }: FileContent,
  signal: AbortSignal,
  afterUse = (_chunk: Uint8Array) => {},
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let read = 0;
  for await (const chunk of source) {
    signal.throwIfAborted();
    hash.update(chunk);
    read += chunk.length;
    if (read > bytes) throw new OtherContent();
    yield chunk;
    afterUse(chunk);
  }
  if (read < bytes || (sha256 !== undefined && sha256 !== hash.digest('base64'))) throw new OtherContent();
}

/** Contents up to this size are written in one call. */
const smallBytes = 4 * 1024 * 1024;

/**
 * Puts a content into a file store, in place of what an earlier attempt may have left.
 * @throws OtherContent
 */
export async function putContent(
  fileStore: FileStore,
  content: FileContent,
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  const { key, bytes } = content;
  const chunks = requireSame(source, content, signal);
  if (bytes <= smallBytes) return fileStore.put(key, await buffer(chunks));
  await fileStore.remove([key], '');
  const state = await fileStore.begin(key, bytes);
  const writer = await fileStore.write({ key, state, sizeBytes: bytes }, 0, signal);
  try {
    // Copies each chunk, because the writer may free the memory of what it gets.
    for await (const chunk of chunks) await writer.write(new Uint8Array(chunk));
  } catch (error) {
    await writer.close();
    await fileStore.remove([key], state);
    throw error;
  }
  await writer.finish();
}

/**
 * Calls `work` for each content, for some of them at the same time. After a failure, no more calls begin.
 * @throws the error of a call, once all others have ended
 */
export async function forEachContent<Content>(
  contents: Iterable<Content> | AsyncIterable<Content>,
  concurrent: number,
  work: (content: Content) => Promise<void>,
): Promise<void> {
  async function* each() {
    yield* contents;
  }
  const shared = each();
  const worker = async () => {
    try {
      for (let next = await shared.next(); !next.done; next = await shared.next()) await work(next.value);
    } catch (error) {
      await shared.return(undefined);
      throw error;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: concurrent }, worker));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
}
