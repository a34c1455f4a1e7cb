import { existsSync } from 'node:fs';
import { type Environment, StartError } from '../../environment.ts';
import { AppError } from '../../http/errors.ts';
import { bucketOf, contentsFolderOf } from '../contents-folder.ts';
import type { ContentsPlace, Database, DatabaseKind } from '../tables.ts';
import { type MoveJournal, movedSqliteFile, readMoveJournal } from './journal.ts';

type StoreSettings = Pick<Environment, 'databaseUrl' | 's3' | 'dataDir'>;
type IsClosed = (journal: MoveJournal) => Promise<boolean>;
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
 * @param isClosed tells whether the move has closed the old PostgreSQL database
 * @throws StartError when the site still uses the old database
 */
export async function requireArrived(
  database: Database,
  dataDir: string,
  isClosed: IsClosed,
): Promise<Installation> {
  const installation = await readInstallation(database);
  await requireMoveEnded(installation, dataDir, isClosed);
  if (installation.move !== null) await saveInstallation(database, { move: null });
  return { ...installation, move: null };
}

/** Like `requireArrived`, but changes nothing. */
export async function requireMoveEnded(
  { move }: Installation,
  dataDir: string,
  isClosed: IsClosed,
): Promise<void> {
  if (move === null) return;
  const journal = await readMoveJournal(dataDir);
  if (journal?.id !== move || !(await hasLeft(journal, dataDir, isClosed))) throw stillArriving();
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
export async function hasLeft(journal: MoveJournal, dataDir: string, isClosed: IsClosed): Promise<boolean> {
  if (journal.rows?.from === 'sqlite') return existsSync(movedSqliteFile(dataDir, journal.stamp));
  return journal.oldDatabaseUrl !== undefined && isClosed(journal);
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
