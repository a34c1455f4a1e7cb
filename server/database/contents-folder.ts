import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Environment, StartError } from '../environment.ts';
import type { S3Settings } from '../environment-values.ts';
import { createOnce } from './durable-files.ts';
import type { Database } from './tables.ts';

type Place = Pick<Environment, 'databaseUrl' | 's3' | 'dataDir'>;

/**
 * Checks that this data folder contains the files of a site whose rows are on PostgreSQL. Without this check,
 * a second instance without S3, or an instance with a new folder, would show the site without its files.
 * Such an instance would also store new files where no other instance finds them. The first start, a restore
 * or a move writes the id of its folder into the database.
 * @throws StartError when the files are in another folder
 */
export async function requireContentsFolder(database: Database, environment: Place): Promise<void> {
  if (!isShared(environment)) return;
  const folder = await readFolderId(environment.dataDir);
  await database.updateTable('installation').set({ folder }).where('folder', 'is', null).execute();
  const installation = await database.selectFrom('installation').select('folder').executeTakeFirstOrThrow();
  if (installation.folder !== folder) throw inAnotherFolder(environment);
}

/** Like `requireContentsFolder`, before the server has changed anything. @param folder the recorded id */
export async function requireRecordedFolder(folder: string | null, environment: Place): Promise<void> {
  if (!isShared(environment) || folder === null) return;
  if ((await findFolderId(environment.dataDir)) !== folder) throw inAnotherFolder(environment);
}

/** True if the database does not say by its own place which data folder contains the files. */
const isShared = ({ databaseUrl, s3 }: Place) => databaseUrl !== undefined && s3 === undefined;

const inAnotherFolder = ({ dataDir }: Place) =>
  new StartError(
    [
      `Os arquivos deste site estão em outra pasta de dados, e não em ${dataDir}. Nada foi mudado.`,
      'Para várias máquinas, leve os arquivos ao S3 (npm run move -- --to-s3) e escreva as variáveis S3_* em todas.',
      'Para trocar de máquina, copie a pasta de dados inteira, com o servidor parado; docs/move.md diz como.',
    ].join('\n'),
  );

/**
 * Returns which bucket or folder contains the files: the bucket with its endpoint; or the id of the data
 * folder, for a site whose rows are on PostgreSQL. Returns null for a site on SQLite with files on the disk,
 * because the database is then in the same folder as the files.
 */
export async function contentsFolderOf(environment: Place): Promise<string | null> {
  if (environment.s3) return bucketOf(environment.s3);
  return isShared(environment) ? readFolderId(environment.dataDir) : null;
}

export const bucketOf = ({ endpoint, bucket }: S3Settings): string =>
  `${endpoint}${endpoint.endsWith('/') ? '' : '/'}${bucket}`;

/** Reads the id of a data folder, or creates it in a new folder. Copies of a folder have the same id. */
export async function readFolderId(dataDir: string): Promise<string> {
  const found = await findFolderId(dataDir);
  if (found !== undefined) return found;
  await createOnce(fileIn(dataDir), randomUUID());
  return readFile(fileIn(dataDir), 'utf8');
}

const findFolderId = (dataDir: string): Promise<string | undefined> =>
  readFile(fileIn(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });

const fileIn = (dataDir: string) => path.join(dataDir, 'folder-id');
