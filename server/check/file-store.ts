import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  bucketOf,
  contentsPlace,
  requireContentsIn,
  requireRecordedFolder,
} from '../database/installation/installation.ts';
import type { FoundDatabase } from '../database/open.ts';
import { type Environment, StartError } from '../environment.ts';
import { AppError } from '../http/errors.ts';
import { requireArrivedContents } from '../storage/store/arrival.ts';
import { ContentMissing, type FileStore } from '../storage/store/file-store.ts';
import { openFileStore } from '../storage/store/open-file-store.ts';

/** The number of contents that a start looks for in a store that is not the recorded one. */
const sampledFiles = 20;

export type CheckedStore = {
  /** False if the store, which is certainly the right one, does not respond now. */
  responds: boolean;
  /** True if the database must still record the store. */
  isNew: boolean;
};

/**
 * Checks that the environment names the store with the site's files, and changes nothing. If the database
 * does not name this store yet, its files must be in it: a site of an earlier version has no record, and a
 * bucket can get another endpoint.
 * @param isThorough true to look for files even if the database names this store
 * @throws StartError when the files are in another store, or when this cannot be known
 */
export async function checkFileStore(
  environment: Environment,
  found: FoundDatabase | undefined,
  isThorough = false,
): Promise<CheckedStore> {
  const recorded = found?.installation ?? { contents: null, folder: null };
  const place = contentsPlace(environment);
  // A new installation on the disk has no folder yet.
  if (place === 'disk' && !existsSync(environment.dataDir)) return { responds: true, isNew: false };
  const store = await openFileStore(environment, { isReadOnly: true });
  try {
    const failure = await failureOf(
      store.check().then(() => requireArrivedContents(recorded.contents, store)),
    );
    requireContentsIn(recorded.contents, place);
    await requireRecordedFolder(recorded.folder, environment);
    const isRecorded =
      recorded.contents !== null && (!environment.s3 || recorded.folder === bucketOf(environment.s3));
    const isUpToDate = found !== undefined && found.pending.length === 0;
    if (failure && !(isRecorded && isUpToDate)) throw unreachable(environment, failure);
    const files = found && !failure && (isThorough || !isRecorded) ? await sampleFiles(found) : [];
    const mustBeAll = recorded.contents !== null && !isRecorded;
    if (files.length > 0) await requireFiles(files, store, environment, mustBeAll);
    return { responds: !failure, isNew: files.length > 0 && !isRecorded };
  } catch (cause) {
    throw cause instanceof AppError ? unreachable(environment, cause) : cause;
  } finally {
    store.close();
  }
}

/** Returns the error of a store that does not respond. @throws every StartError */
const failureOf = (checked: Promise<unknown>): Promise<unknown> =>
  checked.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof StartError) throw error;
      return error;
    },
  );

/** Returns the keys of the newest and of the oldest files. */
async function sampleFiles({ database, applied }: FoundDatabase): Promise<string[]> {
  if (applied.length === 0) return [];
  const read = (order: 'asc' | 'desc') =>
    database
      .selectFrom('files')
      .select('key')
      .orderBy('createdAt', order)
      .limit(sampledFiles / 2)
      .execute();
  return [...new Set([...(await read('desc')), ...(await read('asc'))].map(({ key }) => key))];
}

/**
 * @param mustBeAll true for a store that differs from the recorded one: it must have all of these files.
 * Otherwise, one file shows that this is the store, because others can be lost
 */
async function requireFiles(keys: string[], store: FileStore, environment: Environment, mustBeAll: boolean) {
  let there = 0;
  for (const key of keys) if (await has(store, key)) there += 1;
  if (mustBeAll ? there === keys.length : there > 0) return;
  throw new StartError(
    environment.s3
      ? [
          `O bucket ${bucketOf(environment.s3)} não tem os arquivos deste site. Nada foi mudado.`,
          'Se eles estão em outro bucket, corrija as variáveis S3_*.',
          'Se estão na pasta de dados, tire as variáveis S3_* e comece o servidor. Para levá-los ao S3, pare-o depois e rode npm run move -- --to-s3; docs/move.md diz como.',
        ].join('\n')
      : [
          `A pasta ${path.join(environment.dataDir, 'files')} não tem os arquivos deste site. Nada foi mudado.`,
          'Se eles estão no S3, escreva as variáveis S3_*. Para trazê-los à pasta de dados, rode npm run move -- --to-disk; docs/move.md diz como.',
          'Se se perderam, recupere um backup: docs/backup.md diz como.',
        ].join('\n'),
  );
}

async function has(store: FileStore, key: string): Promise<boolean> {
  try {
    (await store.read(key, { start: 0, end: 0 })).destroy();
    return true;
  } catch (error) {
    if (error instanceof ContentMissing) return false;
    throw error;
  }
}

const unreachable = ({ s3, dataDir }: Environment, cause: unknown) =>
  new StartError(
    s3
      ? `O bucket ${bucketOf(s3)} não respondeu, não existe ou recusou a chave. Nada foi mudado. Confira as variáveis S3_* e veja se o S3 está no ar.`
      : `Os arquivos em ${dataDir} não puderam ser lidos. Nada foi mudado. Veja as permissões da pasta.`,
    { cause },
  );
