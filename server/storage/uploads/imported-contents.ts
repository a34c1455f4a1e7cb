import { createHash, randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Insertable } from 'kysely';
import { type FileKind, storageMessages } from '#contract/storage.ts';
import type { AppContext } from '#server/context.ts';
import type { Database } from '#server/database/connect.ts';
import type { Tables } from '#server/database/tables.ts';
import { AppError } from '#server/http/errors.ts';
import { discard, removeDiscarded } from '../files/discarded.ts';
import { type Picture, preparePicture, versionKey } from '../files/pictures.ts';
import type { FileStore } from '../store/file-store.ts';
import { requireType, sniffedBytes } from './content-types.ts';

/** A file from another system, before it has a row in the table `files`. */
export type ImportedFile = {
  path: string;
  /** Null for a file of the library. */
  ownerId: string | null;
  /** The content's name in the file store. */
  key: string;
  /** Gives read access to the file. */
  token: string;
  sizeBytes: number;
  /** Base64. */
  sha256: string;
  contentType: string;
  /** Epoch milliseconds. */
  createdAt: number;
  picture: { width: number; height: number; versions: Record<string, number> } | undefined;
};

export const newFileKey = () => randomBytes(20).toString('hex');
export const newFileToken = () => randomBytes(24).toString('base64url');

/**
 * Checks a content like that of an upload: the first bytes decide the type, and a picture is encoded again.
 * @returns the type under which it is served, and for a picture its versions
 * @throws AppError `request/unsupported-type`, `storage/incomplete-file`, `request/too-large` (pixels),
 * `server/unavailable`
 */
export async function checkContent(
  open: (range?: { start: number; end: number }) => Readable,
  { path, kind, ownerId }: { path: string; kind: FileKind; ownerId: string },
): Promise<{ contentType: string; picture: Picture | undefined }> {
  const start = await buffer(open({ start: 0, end: sniffedBytes - 1 }));
  const contentType = await requireType(start, { path, kind, declared: '' });
  if (kind === 'audio') return { contentType, picture: undefined };
  const content = await buffer(open());
  return { contentType, picture: await preparePicture({ content, path, type: contentType, kind, ownerId }) };
}

/**
 * Marks the keys for removal before their contents are stored. If the import ends early, the next clean-up or
 * the next import removes the contents. `addImportedFiles` removes the marks.
 */
export async function reserveContents(database: Database, keys: string[]): Promise<void> {
  await database.transaction().execute((transaction) =>
    discard(
      transaction,
      keys.map((key) => ({ key, storeState: '' })),
    ),
  );
}

/**
 * Stores a content and, if it is a picture, its versions. All of them are durable when the function returns.
 * @throws AppError `storage/invalid-checksum` when the content is not the one that was checked
 */
export async function storeContent(
  fileStore: FileStore,
  { key, sizeBytes, sha256, path }: Pick<ImportedFile, 'key' | 'sizeBytes' | 'sha256' | 'path'>,
  { content, versions }: { content: Readable; versions: Iterable<[name: string, content: Uint8Array]> },
  stopped: AbortSignal,
): Promise<void> {
  const state = await fileStore.begin(key, sizeBytes);
  const writer = await fileStore.write({ key, state, sizeBytes }, 0, stopped);
  const hash = createHash('sha256');
  let bytes = 0;
  let whole = false;
  try {
    for await (const chunk of content as AsyncIterable<Uint8Array>) {
      stopped.throwIfAborted();
      // Uses the chunk before the write, because the write can free the chunk's memory.
      bytes += chunk.length;
      hash.update(chunk);
      if (bytes <= sizeBytes) await writer.write(chunk);
    }
    if (bytes !== sizeBytes || hash.digest('base64') !== sha256)
      throw new AppError('storage/invalid-checksum', { message: storageMessages.invalidChecksum(path) });
    whole = true;
  } finally {
    if (!whole) {
      await writer.close();
      await fileStore.remove([key], state);
    }
  }
  await writer.finish();
  for (const [name, version] of versions)
    await fileStore.put(versionKey(key, name as Parameters<typeof versionKey>[1]), version);
}

/**
 * Adds the rows of stored files, in the caller's transaction.
 * @returns false if a content is no longer reserved, because a server has removed it meanwhile
 */
export async function addImportedFiles(transaction: Database, files: ImportedFile[]): Promise<boolean> {
  if (files.length === 0) return true;
  const keys = files.map(({ key }) => key);
  const reserved = await transaction
    .deleteFrom('discardedContents')
    .where('key', 'in', keys)
    .returning('key')
    .execute();
  if (reserved.length < keys.length) return false;
  await transaction.insertInto('files').values(files.map(rowOf)).execute();
  return true;
}

function rowOf({ picture, ...file }: ImportedFile): Insertable<Tables['files']> {
  const versions = picture?.versions ?? {};
  return {
    ...file,
    storedBytes: storedBytesOf({ picture, ...file }),
    versions: JSON.stringify(versions),
    width: picture?.width ?? null,
    height: picture?.height ?? null,
  };
}

/** Returns the size of a content with all its versions, in bytes. */
export const storedBytesOf = ({ sizeBytes, picture }: Pick<ImportedFile, 'sizeBytes' | 'picture'>): number =>
  Object.values(picture?.versions ?? {}).reduce((sum, bytes) => sum + bytes, sizeBytes);

/** Removes the contents that an unfinished import has stored. */
export const removeReserved = (
  context: Pick<AppContext, 'database' | 'databaseKind' | 'fileStore'>,
): Promise<void> => removeDiscarded(context);
