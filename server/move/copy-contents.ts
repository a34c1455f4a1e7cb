import { createHash } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { ShowProgress } from '../backup/progress.ts';
import type { Database } from '../database/connect.ts';
import { tableRows } from '../database/rows/columns.ts';
import { readRows } from '../database/rows/rows.ts';
import { StartError } from '../environment.ts';
import { AppError } from '../http/errors.ts';
import { forEachContent, OtherContent, putContent } from '../storage/files/copy-content.ts';
import { contentsOf, type FileContent } from '../storage/files/files.ts';
import { arrivalKey } from '../storage/store/arrival.ts';
import { ContentMissing, type FileStore } from '../storage/store/file-store.ts';

/** Copies this many contents at once, because a store far away responds slowly. */
const concurrent = 6;
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
  { files, resumed }: { files: number; resumed: boolean },
  progress: ShowProgress,
): Promise<void> {
  let copied = 0;
  const damaged = new Set<string>();
  const known = new Set<string>([arrivalKey]);
  await forEachContent(listContents(held), concurrent, async (content) => {
    known.add(content.key);
    if (!(await copyPatiently(stores, content, resumed))) damaged.add(content.path);
    if (content.sha256 !== undefined) copied += 1;
    progress(copied, files, 'arquivos copiados');
    // Lets signal handlers run, because SQLite's calls block them.
    await nextTurn();
  });
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

async function copyContent({ from, to }: Stores, content: Content, resumed: boolean): Promise<boolean> {
  const { key, sha256, path } = content;
  if (resumed && sha256 !== undefined && (await hashOf(to, key)) === sha256) return true;
  try {
    await putContent(to, content, await from.read(key), new AbortController().signal);
  } catch (error) {
    if (error instanceof ContentMissing || error instanceof OtherContent) return false;
    throw error;
  }
  if ((await hashOf(to, key)) === (sha256 ?? (await hashOf(from, key)))) return true;
  throw new StartError(`O arquivo ${path} não ficou igual no lugar novo. A mudança parou.`);
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
