import { randomBytes, randomUUID } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { type Selectable, sql } from 'kysely';
import { type FileKind, kindOfFile, storageMessages } from '#contract/storage.ts';
import { limitAttempts } from '#server/auth/rate-limits.ts';
import type { AppContext } from '#server/context.ts';
import type { Database } from '#server/database/connect.ts';
import { requireSameContents } from '#server/database/installation/installation.ts';
import type { Tables } from '#server/database/tables.ts';
import { AppError } from '#server/http/errors.ts';
import { networkOf } from '#server/http/networks.ts';
import { isNewAccount } from '#server/users/users.ts';
import { discard, removeDiscarded } from '../files/discarded.ts';
import { lockOwnFiles } from '../files/own-files.ts';

export type Upload = Selectable<Tables['uploads']>;

/** The clean-up discards an upload that makes no progress for this time. */
export const uploadLifeMs = 24 * 60 * 60_000;
/** Every account can begin to upload pictures, so an upload of a picture ends even if it makes progress. */
const pictureLifeMs = 60 * 60_000;
/** The maximum number of unfinished uploads of profile pictures per user. */
const unfinishedPictures = 10;
/**
 * All pictures of a new or unverified account, with unfinished ones, may take this many times the bytes of
 * the largest profile picture.
 */
const picturesOfNewAccount = 3;
/** Without FILES_QUOTA_MB, all files together may take this share of the disk with the data folder. */
const shareOfDisk = 0.8;
/** An arbitrary number that no other advisory lock of this database uses. */
const quotaLock = 7_001;

/** The parts of the app's context that are needed to store a file. */
export type UploadContext = Pick<AppContext, 'environment' | 'database' | 'databaseKind' | 'fileStore'>;

export type NewUpload = {
  ownerId: string;
  /** True for editors and admins, to whom the account quota does not apply. */
  byEditor: boolean;
  kind: FileKind;
  path: string;
  declaredType: string;
  sizeBytes: number;
  sha256: string | null;
};

/** Returns when the clean-up may discard an upload that makes progress now. */
export const uploadExpiry = ({ path, createdAt }: Pick<Upload, 'path' | 'createdAt'>, now = Date.now()) =>
  kindOfFile(path) === 'profile-picture' ? createdAt + pictureLifeMs : now + uploadLifeMs;

/**
 * Counts an upload that begins. Strangers could otherwise sign up and fill the disk with profile pictures.
 * @throws AppError `auth/too-many-attempts`
 */
export async function limitPictures(
  context: Pick<AppContext, 'database' | 'authSecret'>,
  { kind, byEditor, ip }: Pick<NewUpload, 'kind' | 'byEditor'> & { ip: string },
): Promise<void> {
  if (kind === 'profile-picture' && !byEditor)
    await limitAttempts(context, ['pictureUploadsByAddress', networkOf(ip)]);
}

/**
 * Begins an upload. The quota counts all bytes of the upload from the start, so that the upload can finish.
 * @throws AppError `storage/invalid-argument` for an empty file; `request/too-large`;
 * `storage/quota-exceeded`; `storage/account-quota-exceeded`; `storage/unauthorized` when there already is a
 * file at the path, because files never change; `server/storage-full`
 */
export async function createUpload(
  { database, databaseKind, fileStore, environment }: UploadContext,
  { kind, byEditor, ...given }: NewUpload,
): Promise<Upload> {
  const { path, sizeBytes } = given;
  const { fileLimits } = environment;
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
  const quotaBytes = await totalQuota(environment);
  const upload = await database.transaction().execute(async (transaction) => {
    await requireSameContents(transaction, databaseKind, fileStore.place);
    const taken = await transaction
      .selectFrom('files')
      .select('path')
      .where('path', '=', path)
      .executeTakeFirst();
    if (taken) throw new AppError('storage/unauthorized', { message: storageMessages.unauthorized(path) });
    if (Number.isFinite(quotaBytes)) {
      // Concurrent uploads must see each other's reservations. SQLite needs no lock, because it has only one
      // writer.
      if (databaseKind === 'postgres')
        await sql`select pg_advisory_xact_lock(${quotaLock})`.execute(transaction);
      if ((await countStoredBytes(transaction)) + sizeBytes > quotaBytes)
        throw new AppError('storage/quota-exceeded', { message: storageMessages.quotaExceeded(path) });
    }
    await lockOwnFiles(transaction, databaseKind, given.ownerId);
    const own = await countOwnBytes(transaction, given.ownerId);
    const pictureQuota =
      !byEditor && (await isNewAccount(transaction, given.ownerId))
        ? picturesOfNewAccount * fileLimits.profilePictureBytes
        : Number.POSITIVE_INFINITY;
    const ownIsFull =
      (!byEditor && own.bytes + sizeBytes > fileLimits.accountQuotaBytes) ||
      own.pictureBytes + sizeBytes > pictureQuota ||
      (kind === 'profile-picture' && own.unfinishedPictures >= unfinishedPictures);
    if (ownIsFull)
      throw new AppError('storage/account-quota-exceeded', {
        message: storageMessages.accountQuotaExceeded(path),
      });
    return transaction
      .insertInto('uploads')
      .values({
        ...given,
        id: randomUUID(),
        key: randomBytes(20).toString('hex'),
        storeState: '',
        offsetBytes: 0,
        createdAt: now,
        expiresAt: uploadExpiry({ path, createdAt: now }, now),
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
  context: Pick<AppContext, 'database' | 'databaseKind' | 'fileStore'>,
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

/** Discards the unfinished uploads of this user to a path, so that none of them becomes a file later. */
export async function discardUploadsTo(
  context: Pick<AppContext, 'database' | 'databaseKind' | 'fileStore'>,
  path: string,
  ownerId: string,
): Promise<void> {
  const uploads = await context.database
    .selectFrom('uploads')
    .select(['id', 'key', 'storeState'])
    .where('path', '=', path)
    .where('ownerId', '=', ownerId)
    .where('finishedAt', 'is', null)
    .execute();
  for (const upload of uploads) await discardUpload(context, upload);
}

/** Returns how many bytes all files may take. The size of a bucket is unknown, so it has no default. */
async function totalQuota({ dataDir, s3, fileLimits }: UploadContext['environment']): Promise<number> {
  if (Number.isFinite(fileLimits.quotaBytes) || s3) return fileLimits.quotaBytes;
  const { blocks, bsize } = await statfs(dataDir);
  return blocks * bsize * shareOfDisk;
}

async function countStoredBytes(transaction: Database): Promise<number> {
  const { bytes } = await transaction
    .selectFrom('storageTally')
    .select((row) => row.fn.sum<number>('change').as('bytes'))
    .executeTakeFirstOrThrow();
  return Number(bytes);
}

/**
 * Counts the bytes of a user's files and unfinished uploads, those of profile pictures, and how many of the
 * unfinished uploads are profile pictures.
 */
async function countOwnBytes(transaction: Database, uid: string) {
  const stored = await transaction
    .selectFrom('files')
    .select(['storedBytes as bytes', 'path'])
    .where('ownerId', '=', uid)
    .execute();
  const unfinished = await transaction
    .selectFrom('uploads')
    .select(['sizeBytes as bytes', 'path'])
    .where('ownerId', '=', uid)
    .where('finishedAt', 'is', null)
    .execute();
  const isPicture = ({ path }: { path: string }) => kindOfFile(path) === 'profile-picture';
  const sum = (rows: { bytes: number }[]) => rows.reduce((total, { bytes }) => total + Number(bytes), 0);
  const all = [...stored, ...unfinished];
  return {
    bytes: sum(all),
    pictureBytes: sum(all.filter(isPicture)),
    unfinishedPictures: unfinished.filter(isPicture).length,
  };
}
