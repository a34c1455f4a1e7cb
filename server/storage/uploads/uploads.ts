import { randomBytes, randomUUID } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { type FileKind, storageMessages } from '#contract/storage.ts';
import type { AppContext } from '#server/context.ts';
import type { Database } from '#server/database/connect.ts';
import type { Tables } from '#server/database/tables.ts';
import { AppError } from '#server/http/errors.ts';
import { discard, removeDiscarded } from '../files/discarded.ts';

export type Upload = Selectable<Tables['uploads']>;

/** The clean-up discards an upload that makes no progress for this time. */
export const uploadLifeMs = 24 * 60 * 60_000;
/** The most profile pictures of one user. Finished pictures and unfinished uploads both count. */
const profilePictures = 10;
/** An arbitrary number that no other advisory lock of this database uses. */
const quotaLock = 7_001;

type NewUpload = {
  ownerId: string;
  kind: FileKind;
  path: string;
  declaredType: string;
  sizeBytes: number;
  sha256: string | null;
};

/**
 * Begins an upload. All its bytes count towards the storage quota at once, so that the upload can finish.
 * @throws AppError `storage/invalid-argument` for an empty file; `request/too-large`;
 * `storage/quota-exceeded`; `storage/unauthorized` when there is a file at the path, because files never
 * change; `server/storage-full`
 */
export async function createUpload(
  { database, databaseKind, fileStore, environment: { fileLimits } }: AppContext,
  { kind, ...given }: NewUpload,
): Promise<Upload> {
  const { path, sizeBytes } = given;
  const limit = {
    image: fileLimits.imageBytes,
    audio: fileLimits.audioBytes,
    'profile-picture': fileLimits.profilePictureBytes,
  }[kind];
  if (sizeBytes > limit)
    throw new AppError('request/too-large', { message: storageMessages.tooLarge(path, limit) });
  if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 1)
    throw new AppError('storage/invalid-argument', { message: `'${path}' must have at least one byte.` });

  const now = Date.now();
  const upload = await database.transaction().execute(async (transaction) => {
    // Concurrent uploads must see each other's reservations. SQLite has only one writer, so it needs no lock.
    if (databaseKind === 'postgres')
      await sql`select pg_advisory_xact_lock(${quotaLock})`.execute(transaction);
    const taken = await transaction
      .selectFrom('files')
      .select('path')
      .where('path', '=', path)
      .executeTakeFirst();
    if (taken) throw new AppError('storage/unauthorized', { message: storageMessages.unauthorized(path) });
    const full = new AppError('storage/quota-exceeded', { message: storageMessages.quotaExceeded(path) });
    if ((await reservedBytes(transaction)) + sizeBytes > fileLimits.quotaBytes) throw full;
    if (kind === 'profile-picture' && (await countPictures(transaction, given.ownerId)) >= profilePictures)
      throw full;
    return transaction
      .insertInto('uploads')
      .values({
        ...given,
        id: randomUUID(),
        key: randomBytes(20).toString('hex'),
        storeState: '',
        offsetBytes: 0,
        createdAt: now,
        expiresAt: now + uploadLifeMs,
        finishedAt: null,
        holder: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
  try {
    const storeState = await fileStore.begin(upload.key, sizeBytes);
    await database.updateTable('uploads').set({ storeState }).where('id', '=', upload.id).execute();
    return { ...upload, storeState };
  } catch (error) {
    await database.deleteFrom('uploads').where('id', '=', upload.id).execute();
    throw error;
  }
}

/**
 * Returns an upload of this user. @throws AppError `storage/object-not-found`, also for uploads of other
 * users
 */
export async function getUpload(database: Database, id: string, ownerId: string): Promise<Upload> {
  const upload = await database
    .selectFrom('uploads')
    .selectAll()
    .where('id', '=', id)
    .where('ownerId', '=', ownerId)
    .executeTakeFirst();
  if (upload) return upload;
  throw new AppError('storage/object-not-found', {
    message: storageMessages.objectNotFound(id.slice(0, 100)),
  });
}

/** Discards an unfinished upload and its content. Does nothing to a finished upload. */
export async function discardUpload(
  context: Pick<AppContext, 'database' | 'fileStore'>,
  upload: Pick<Upload, 'id' | 'key' | 'storeState'>,
): Promise<void> {
  await context.database.transaction().execute(async (transaction) => {
    const given = await transaction
      .deleteFrom('uploads')
      .where('id', '=', upload.id)
      .where('finishedAt', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (given) await discard(transaction, [upload]);
  });
  // The upload is already deleted. If the store is unreachable, the clean-up removes the content later.
  await removeDiscarded(context).catch(() => {});
}

async function reservedBytes(transaction: Database): Promise<number> {
  const { stored } = await transaction
    .selectFrom('files')
    .select((row) => row.fn.sum<number | null>('storedBytes').as('stored'))
    .executeTakeFirstOrThrow();
  const { coming } = await transaction
    .selectFrom('uploads')
    .select((row) => row.fn.sum<number | null>('sizeBytes').as('coming'))
    .where('finishedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(stored ?? 0) + Number(coming ?? 0);
}

async function countPictures(transaction: Database, uid: string): Promise<number> {
  const folder = `profilePics/${uid}/`;
  const stored = await transaction
    .selectFrom('files')
    .select('path')
    .where('ownerId', '=', uid)
    .where('path', 'like', `${folder}%`)
    .execute();
  const coming = await transaction
    .selectFrom('uploads')
    .select('path')
    .where('ownerId', '=', uid)
    .where('path', 'like', `${folder}%`)
    .where('finishedAt', 'is', null)
    .execute();
  return stored.length + coming.length;
}
