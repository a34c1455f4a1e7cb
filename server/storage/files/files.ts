import { buffer } from 'node:stream/consumers';
import type { Insertable, Selectable } from 'kysely';
import { paths } from '#contract/paths.ts';
import { type FileMetadata, kindOfFile, siteFolder, storageMessages } from '#contract/storage.ts';
import type { AppContext } from '#server/context.ts';
import type { Database } from '#server/database/connect.ts';
import { recordFirstStore } from '#server/database/installation/installation.ts';
import type { Tables } from '#server/database/tables.ts';
import { AppError } from '#server/http/errors.ts';
import { equalInConstantTime } from '#server/http/tokens.ts';
import { type Upload, uploadLifeMs } from '../uploads/uploads.ts';
import { discard, removeDiscarded } from './discarded.ts';
import { lockOwnFiles, replaceOlderPictures } from './own-files.ts';
import { type Version, versionKey } from './pictures.ts';

export type StoredFile = Selectable<Tables['files']>;
type Found = Pick<
  Insertable<Tables['files']>,
  'contentType' | 'sha256' | 'storedBytes' | 'versions' | 'token' | 'width' | 'height'
>;

/**
 * Adds a file at its path and marks its upload as finished, in one transaction. A new profile picture
 * replaces the older ones of its user.
 * @throws AppError `storage/unauthorized` when there already is a file at the path;
 * `storage/object-not-found` when the upload no longer exists
 */
export async function addFile(
  { database, databaseKind, environment }: Pick<AppContext, 'database' | 'databaseKind' | 'environment'>,
  upload: Upload,
  found: Found,
): Promise<void> {
  const { id, ownerId, path, key, sizeBytes } = upload;
  const isPicture = kindOfFile(path) === 'profile-picture';
  await database.transaction().execute(async (transaction) => {
    const now = Date.now();
    await recordFirstStore(transaction, databaseKind, environment);
    if (isPicture) await lockOwnFiles(transaction, databaseKind, ownerId);
    const added = await transaction
      .insertInto('files')
      .values({ ...found, path, key, ownerId, sizeBytes, createdAt: now })
      .onConflict((conflict) => conflict.column('path').doNothing())
      .returning('path')
      .executeTakeFirst();
    if (!added) throw new AppError('storage/unauthorized', { message: storageMessages.unauthorized(path) });
    const finished = await transaction
      .updateTable('uploads')
      .set({ offsetBytes: sizeBytes, finishedAt: now, expiresAt: now + uploadLifeMs })
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    // The user has discarded the upload or deleted the account meanwhile, so the content is being removed.
    if (!finished)
      throw new AppError('storage/object-not-found', { message: storageMessages.objectNotFound(path) });
    if (isPicture)
      await replaceOlderPictures(transaction, ownerId, { path, url: paths.storage.file(path, found.token) });
  });
}

/** True if a file has the content with this key. Used when the database's response to `addFile` was lost. */
export async function isFile(database: Database, key: string): Promise<boolean> {
  const row = await database.selectFrom('files').select('path').where('key', '=', key).executeTakeFirst();
  return row !== undefined;
}

/** @throws AppError `storage/object-not-found` */
export async function getFile(database: Database, path: string): Promise<StoredFile> {
  if (kindOfFile(path) === undefined) throw notFound(path);
  const file = await database.selectFrom('files').selectAll().where('path', '=', path).executeTakeFirst();
  if (file) return file;
  throw notFound(path);
}

/**
 * Returns the file if the token is right. @throws AppError `storage/object-not-found` when the path or the
 * token is wrong
 */
export async function getFileByToken(database: Database, path: string, token: string): Promise<StoredFile> {
  const file = await getFile(database, path);
  if (equalInConstantTime(token, file.token)) return file;
  throw notFound(path);
}

/**
 * Reads a picture for use inside the server, in a version without metadata that is at most 960 pixels wide.
 * @throws AppError `storage/object-not-found` when the path or the token is wrong
 */
export async function readStoredPicture(
  { database, fileStore }: Pick<AppContext, 'database' | 'fileStore'>,
  { path, token }: { path: string; token: string },
): Promise<Uint8Array> {
  const { key } = await getFileByToken(database, path, token);
  return buffer(await fileStore.read(versionKey(key, '960.webp')));
}

/**
 * Deletes a file. @throws AppError `storage/object-not-found`; `storage/object-in-use` when the draft of the
 * site content or one of its latest versions refers to the file
 */
export async function deleteFile(
  context: Pick<AppContext, 'database' | 'databaseKind' | 'fileStore'>,
  path: string,
  lockKeptFiles: LockKeptFiles,
): Promise<void> {
  await context.database.transaction().execute(async (transaction) => {
    if (path.startsWith(siteFolder) && (await lockKeptFiles(transaction)).has(path))
      throw new AppError('storage/object-in-use', { message: storageMessages.objectInUse(path) });
    if ((await deleteFiles(transaction, [path])) === 0) throw notFound(path);
  });
  // The file is already deleted. If the store is unreachable, the clean-up removes the content later.
  await removeDiscarded(context).catch(() => {});
}

/**
 * Deletes files in a transaction. `removeDiscarded` then removes their contents.
 * @returns how many of the paths had a file
 */
export async function deleteFiles(transaction: Database, paths: string[]): Promise<number> {
  if (paths.length === 0) return 0;
  const files = await transaction.deleteFrom('files').where('path', 'in', paths).returning('key').execute();
  await discard(
    transaction,
    files.map(({ key }) => ({ key, storeState: '' })),
  );
  return files.length;
}

export function metadataOf(file: StoredFile): FileMetadata {
  const { path, sizeBytes, contentType, sha256, createdAt, width, height } = file;
  return {
    path,
    sizeBytes,
    contentType,
    sha256,
    createdAt,
    ...(width !== null && { width }),
    ...(height !== null && { height }),
  };
}

function notFound(path: string): AppError {
  return new AppError('storage/object-not-found', {
    message: storageMessages.objectNotFound(path.slice(0, 300)),
  });
}

/** A content in the file store that belongs to a file. */
export type FileContent = {
  key: string;
  bytes: number;
  /** The SHA-256 in Base64. It is known for originals, but not for the versions of a picture. */
  sha256: string | undefined;
};

/** Returns the contents of a file: the original, and the versions of a picture. */
export function contentsOf({
  key,
  sizeBytes,
  sha256,
  versions,
}: Pick<StoredFile, 'key' | 'sizeBytes' | 'sha256' | 'versions'>): FileContent[] {
  const sizes = Object.entries(JSON.parse(versions) as Partial<Record<Version, number>>);
  return [
    { key, bytes: sizeBytes, sha256 },
    ...sizes.map(([version, bytes]) => ({
      key: versionKey(key, version as Version),
      bytes,
      sha256: undefined,
    })),
  ];
}

/**
 * Lists the paths of the files to which the site's content refers. Writers of that content wait until the
 * transaction ends.
 */
export type LockKeptFiles = (transaction: Database) => Promise<ReadonlySet<string>>;

/**
 * The age at which a file without a reference is deleted. It is longer than the week for which a browser
 * keeps unsaved content, because this content can refer to a file.
 */
const unnamedStayMs = 30 * 24 * 60 * 60_000;

/** Deletes old site files that the site content does not refer to. `cleanUpFiles` removes their contents. */
export async function deleteUnnamedSiteFiles(
  { database }: Pick<AppContext, 'database'>,
  lockKeptFiles: LockKeptFiles,
  now = Date.now(),
): Promise<void> {
  const listOld = async (from: Database) => {
    const old = await from
      .selectFrom('files')
      .select('path')
      .where('path', 'like', `${siteFolder}%`)
      .where('createdAt', '<=', now - unnamedStayMs)
      .execute();
    return old.map(({ path }) => path);
  };
  if ((await listOld(database)).length === 0) return;
  await database.transaction().execute(async (transaction) => {
    const kept = await lockKeptFiles(transaction);
    const unnamed = (await listOld(transaction)).filter((path) => !kept.has(path));
    await deleteFiles(transaction, unnamed);
  });
}
