import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Environment, StartError } from '../../environment.ts';
import type { S3Settings } from '../../environment-values.ts';
import { AppError } from '../../http/errors.ts';
import { connect } from '../connect.ts';
import { createOnce } from '../durable-files.ts';
import type { ContentsPlace, Database, DatabaseKind } from '../tables.ts';
import { type MoveJournal, movedSqliteFile, readMoveJournal } from './move-journal.ts';
import { isClosedBy } from './postgres-moves.ts';

type StoreSettings = Pick<Environment, 'databaseUrl' | 's3' | 'dataDir'>;
/** Where the site is; see `installation` in tables.ts. */
export type Installation = { contents: ContentsPlace | null; folder: string | null; move: string | null };

/** Returns the place of the contents of files, according to the environment. */
export const contentsPlace = ({ s3 }: Pick<Environment, 's3'>): ContentsPlace => (s3 ? 's3' : 'disk');

export async function readInstallation(database: Database): Promise<Installation> {
  return database.selectFrom('installation').select(['contents', 'folder', 'move']).executeTakeFirstOrThrow();
}

/** Like `readInstallation`, also for a database of an earlier version, which lacks the table. */
export async function findInstallation(
  database: Database,
  migrationNames: readonly string[],
): Promise<Installation> {
  if (!migrationNames.includes('033-version-0-2')) return { contents: null, folder: null, move: null };
  return readInstallation(database);
}

export async function saveInstallation(transaction: Database, change: Partial<Installation>): Promise<void> {
  await transaction.updateTable('installation').set(change).execute();
}

/**
 * Checks that the site uses the rows of this database. After a move that was killed at its last step, both
 * the old and the new database are complete. The site then uses the new one only if the old one is closed.
 * @throws StartError when the site still uses the old database
 */
export async function requireArrived(database: Database, dataDir: string): Promise<Installation> {
  const installation = await readInstallation(database);
  await requireMoveEnded(installation, dataDir);
  if (installation.move !== null) await saveInstallation(database, { move: null });
  return { ...installation, move: null };
}

/** Like `requireArrived`, but changes nothing. */
export async function requireMoveEnded({ move }: Installation, dataDir: string): Promise<void> {
  if (move === null) return;
  const journal = await readMoveJournal(dataDir);
  if (journal?.id !== move || !(await hasLeft(journal, dataDir))) throw stillArriving();
}

/** @throws StartError when a move is filling this database, and has not closed the old one yet */
export async function requireNotArriving(transaction: Database): Promise<void> {
  if ((await readInstallation(transaction)).move !== null) throw stillArriving();
}

const stillArriving = () =>
  new StartError(
    'A mudança do site para este banco de dados não terminou, e o site continua no lugar antigo. Rode de novo o mesmo comando npm run move, na mesma pasta de dados: ele termina a mudança.',
  );

/** True if the old place of the rows is closed. From then on, the site uses the new place. */
export async function hasLeft(journal: MoveJournal, dataDir: string): Promise<boolean> {
  if (journal.rows?.from === 'sqlite') return existsSync(movedSqliteFile(dataDir, journal.stamp));
  return journal.oldDatabaseUrl !== undefined && isOldClosed(journal);
}

/**
 * Asks the old PostgreSQL database of a move whether the move has closed it.
 * @throws StartError when it does not respond
 */
async function isOldClosed({ oldDatabaseUrl, stamp }: MoveJournal): Promise<boolean> {
  const old = connect({ databaseUrl: oldDatabaseUrl, dataDir: '', databasePool: 1 });
  try {
    return await isClosedBy(old, stamp);
  } catch (cause) {
    throw new StartError(
      'A mudança do site para este banco de dados foi interrompida no último passo, e o PostgreSQL antigo, que sabe se ela terminou, não respondeu. Veja se ele está no ar e tente de novo.',
      { cause },
    );
  } finally {
    await old.destroy();
  }
}

/** @throws StartError when the site's files are not in the place that the environment names */
export function requireContentsIn(contents: ContentsPlace | null, place: ContentsPlace): void {
  if (contents === null || contents === place) return;
  throw new StartError(
    contents === 's3'
      ? 'Os arquivos deste site estão no S3, e faltam as variáveis S3_*: escreva-as. Para trazer os arquivos à pasta de dados, npm run move -- --to-disk; docs/move.md diz como.'
      : 'Os arquivos deste site estão na pasta de dados, e as variáveis S3_* dizem outra coisa: tire-as. Para levar os arquivos ao S3, npm run move -- --to-s3; docs/move.md diz como.',
  );
}

/** Like `requireContentsIn`, also for the bucket. */
export function requireSameStore({ contents, folder }: Installation, environment: StoreSettings): void {
  requireContentsIn(contents, contentsPlace(environment));
  if (contents !== 's3' || folder === null || !environment.s3) return;
  if (folder === bucketOf(environment.s3)) return;
  throw new StartError(
    `Os arquivos deste site estão no bucket ${folder}, e as variáveis S3_* dizem ${bucketOf(environment.s3)}. Nada foi mudado. Corrija as variáveis; se os arquivos já foram copiados para este, comece antes o servidor, que confere.`,
  );
}

/** Records that the files are where the environment says. Call it only when this is known. */
export async function recordStore(transaction: Database, environment: StoreSettings): Promise<void> {
  await saveInstallation(transaction, {
    contents: contentsPlace(environment),
    folder: await contentsFolderOf(environment),
  });
}

/**
 * Records with the first file where the contents of files are. From then on, servers with another file store
 * do not start.
 * @throws AppError `server/unavailable` when another instance has recorded another place meanwhile
 */
export async function recordFirstStore(
  transaction: Database,
  kind: DatabaseKind,
  environment: StoreSettings,
): Promise<void> {
  if ((await readInstallation(transaction)).contents === null) {
    const place = { contents: contentsPlace(environment), folder: await contentsFolderOf(environment) };
    await transaction.updateTable('installation').set(place).where('contents', 'is', null).execute();
  }
  await requireSameContents(transaction, kind, contentsPlace(environment));
}

/**
 * Checks that the contents of files have not been moved since this process started. A server that was
 * suspended during a move would otherwise store files where no server finds them. After this check, the place
 * cannot change until the transaction ends.
 * @throws AppError `server/unavailable`
 */
export async function requireSameContents(
  transaction: Database,
  kind: DatabaseKind,
  place: ContentsPlace,
): Promise<void> {
  const query = transaction.selectFrom('installation').select('contents');
  const { contents } = await (kind === 'postgres' ? query.forKeyShare() : query).executeTakeFirstOrThrow();
  if (contents !== null && contents !== place)
    throw new AppError('server/unavailable', { cause: new Error('The contents of files were moved.') });
}

/**
 * Checks that this data folder contains the files of a site whose rows are on PostgreSQL. Without this check,
 * a second instance without S3, or an instance with a new folder, would show the site without its files.
 * Such an instance would also store new files where no other instance finds them. The first start, a restore
 * or a move writes the id of its folder into the database.
 * @throws StartError when the files are in another folder
 */
export async function requireContentsFolder(database: Database, environment: StoreSettings): Promise<void> {
  if (!isShared(environment)) return;
  const folder = await readFolderId(environment.dataDir);
  await database.updateTable('installation').set({ folder }).where('folder', 'is', null).execute();
  const installation = await database.selectFrom('installation').select('folder').executeTakeFirstOrThrow();
  if (installation.folder !== folder) throw inAnotherFolder(environment);
}

/** Like `requireContentsFolder`, before the server has changed anything. @param folder the recorded id */
export async function requireRecordedFolder(
  folder: string | null,
  environment: StoreSettings,
): Promise<void> {
  if (!isShared(environment) || folder === null) return;
  if ((await findFolderId(environment.dataDir)) !== folder) throw inAnotherFolder(environment);
}

/** True if the database does not say by its own place which data folder contains the files. */
const isShared = ({ databaseUrl, s3 }: StoreSettings) => databaseUrl !== undefined && s3 === undefined;

const inAnotherFolder = ({ dataDir }: StoreSettings) =>
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
export async function contentsFolderOf(environment: StoreSettings): Promise<string | null> {
  if (environment.s3) return bucketOf(environment.s3);
  return isShared(environment) ? readFolderId(environment.dataDir) : null;
}

export const bucketOf = ({ endpoint, bucket }: S3Settings): string =>
  `${endpoint}${endpoint.endsWith('/') ? '' : '/'}${bucket}`;

/** Reads the id of a data folder, or creates it in a new folder. Copies of a folder have the same id. */
export async function readFolderId(dataDir: string): Promise<string> {
  const found = await findFolderId(dataDir);
  if (found !== undefined) return found;
  await createOnce(folderIdFile(dataDir), randomUUID());
  return readFile(folderIdFile(dataDir), 'utf8');
}

const findFolderId = (dataDir: string): Promise<string | undefined> =>
  readFile(folderIdFile(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });

const folderIdFile = (dataDir: string) => path.join(dataDir, 'folder-id');
