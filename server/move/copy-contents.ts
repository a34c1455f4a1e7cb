import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../database/connect.ts';
import { tableRows } from '../database/rows/columns.ts';
import { readRows } from '../database/rows/rows.ts';
import { StartError } from '../environment.ts';
import { AppError } from '../http/errors.ts';
import { contentsOf, type FileContent } from '../storage/files/files.ts';
import { arrivalKey } from '../storage/store/arrival.ts';
import { ContentMissing, type FileStore } from '../storage/store/file-store.ts';
import type { Progress } from './progress.ts';

/** Copies this many contents at once, because a store far away responds slowly. */
const concurrent = 6;
/** Smaller contents are stored with one call. */
const smallBytes = 1024 * 1024;
/** The waits before each retry while a store is unavailable. */
const retryMs = [1_000, 2_000, 4_000, 8_000];
/** The most paths that an error message names. */
const mostNamed = 10;

type Content = FileContent & { path: string };
type Stores = { from: FileStore; to: FileStore };

/** Returns the number of files, and the bytes of all their contents. */
export async function measureContents(held: Database): Promise<{ files: number; bytes: number }> {
  const { files, bytes } = await held
    .selectFrom('files')
    .select((row) => [
      row.fn.countAll<number>().as('files'),
      row.fn.sum<number | null>('storedBytes').as('bytes'),
    ])
    .executeTakeFirstOrThrow();
  return { files: Number(files), bytes: Number(bytes ?? 0) };
}

/**
 * Copies the contents of all files, and reads each copy again to check it. A content that an earlier attempt
 * has already copied is only checked.
 * @throws StartError that names the files whose content is missing or was changed, after all others are
 * copied
 */
export async function copyContents(
  held: Database,
  stores: Stores,
  { bytes, resumed }: { bytes: number; resumed: boolean },
  progress: Progress,
): Promise<void> {
  progress.begin('Copiando os arquivos', bytes, 'bytes');
  const damaged = new Set<string>();
  const known = new Set<string>([arrivalKey]);
  await inParallel(listContents(held), async (content) => {
    known.add(content.key);
    if (!(await copyPatiently(stores, content, resumed))) damaged.add(content.path);
    await progress.add(content.bytes);
  });
  progress.end();
  if (damaged.size > 0) throw damagedFiles(damaged);
  // Removes the contents of files that were deleted after an earlier attempt.
  if (resumed)
    for await (const key of stores.to.keys()) if (!known.has(key)) await stores.to.remove([key], '');
}

function damagedFiles(damaged: ReadonlySet<string>): StartError {
  const named = [...damaged].sort().slice(0, mostNamed).join('\n  ');
  const more = damaged.size > mostNamed ? `\n  e mais ${damaged.size - mostNamed}` : '';
  return new StartError(
    `O conteúdo destes arquivos está faltando, incompleto ou alterado:\n  ${named}${more}\nRecupere-os de um backup, ou exclua-os no site, e tente de novo.`,
  );
}

async function* listContents(held: Database): AsyncGenerator<Content> {
  for await (const page of readRows(held, 'files', tableRows.files))
    for (const row of page)
      for (const content of contentsOf(row as Parameters<typeof contentsOf>[0]))
        yield { path: String(row.path), ...content };
}

/**
 * Runs `work` for each item, in several workers. After a failure, all workers stop.
 * @throws one of the errors, once they have stopped
 */
async function inParallel<Item>(items: AsyncGenerator<Item>, work: (item: Item) => Promise<void>) {
  const worker = async () => {
    try {
      for await (const item of { [Symbol.asyncIterator]: () => ({ next: () => items.next() }) })
        await work(item);
    } catch (error) {
      await items.return(undefined);
      throw error;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: concurrent }, worker));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
}

/**
 * Copies a content, with retries if a store is unavailable.
 * @returns false if the source is missing or damaged
 */
async function copyPatiently(stores: Stores, content: Content, resumed: boolean): Promise<boolean> {
  for (const ms of [...retryMs, undefined])
    try {
      return await copyContent(stores, content, resumed || ms !== retryMs[0]);
    } catch (error) {
      const isAway = error instanceof AppError && error.code === 'server/unavailable';
      if (!isAway || ms === undefined) throw error;
      await wait(ms);
    }
  return false;
}

async function copyContent(stores: Stores, content: Content, resumed: boolean): Promise<boolean> {
  const { key, sha256, path } = content;
  if (resumed && sha256 !== undefined && (await hashOf(stores.to, key)) === sha256) return true;
  const hash = await transfer(stores, content).catch((error: unknown) => {
    if (error instanceof ContentMissing) return undefined;
    throw error;
  });
  if (hash === undefined) return false;
  if ((await hashOf(stores.to, key)) === hash) return true;
  throw new StartError(`O arquivo ${path} não ficou igual no lugar novo. A mudança parou.`);
}

/**
 * Reads the content and stores it in the other store.
 * @returns its SHA-256 in base64; undefined if it is not the content that its row describes, which this
 * function then does not store
 * @throws ContentMissing
 */
async function transfer({ from, to }: Stores, content: Content): Promise<string | undefined> {
  const { key, bytes } = content;
  const source = requireSame((await from.read(key)) as AsyncIterable<Uint8Array>, content);
  if (bytes <= smallBytes) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of source.chunks) chunks.push(chunk);
    if (source.hash !== undefined) await to.put(key, Buffer.concat(chunks));
    return source.hash;
  }
  // Removes what an earlier attempt has left.
  await to.remove([key], '');
  const upload = { key, sizeBytes: bytes, state: await to.begin(key, bytes) };
  try {
    const writer = await to.write(upload, 0, new AbortController().signal);
    try {
      for await (const chunk of source.chunks) await writer.write(chunk);
    } finally {
      if (source.hash === undefined) await writer.close();
    }
    if (source.hash !== undefined) await writer.finish();
  } catch (error) {
    await to.remove([key], upload.state).catch(() => {});
    throw error;
  }
  if (source.hash === undefined) await to.remove([key], upload.state);
  return source.hash;
}

/** Passes chunks on. After the last one, `hash` is set if they are the content that the row describes. */
function requireSame(chunks: AsyncIterable<Uint8Array>, { bytes, sha256 }: Content) {
  const passed = { hash: undefined as string | undefined, chunks: pass() };
  async function* pass() {
    const hash = createHash('sha256');
    let read = 0;
    for await (const chunk of chunks) {
      read += chunk.length;
      if (read > bytes) return;
      hash.update(chunk);
      yield chunk;
    }
    const found = hash.digest('base64');
    if (read === bytes && (sha256 === undefined || sha256 === found)) passed.hash = found;
  }
  return passed;
}

/** @returns the SHA-256 of a stored content in base64; undefined if there is none */
async function hashOf(store: FileStore, key: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of (await store.read(key)) as AsyncIterable<Uint8Array>) hash.update(chunk);
  } catch (error) {
    if (error instanceof ContentMissing) return undefined;
    throw error;
  }
  return hash.digest('base64');
}
