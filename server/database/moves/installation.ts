import { existsSync } from 'node:fs';
import { type Environment, StartError } from '../../environment.ts';
import { AppError } from '../../http/errors.ts';
import type { ContentsPlace, Database, DatabaseKind } from '../tables.ts';
import { type MoveJournal, movedSqliteFile, readMoveJournal } from './journal.ts';

type IsClosed = (journal: MoveJournal) => Promise<boolean>;
export type Installation = { contents: ContentsPlace | null; move: string | null };
type Change = Partial<Installation> & { folder?: string | null };

/** Returns the place of the contents of files, according to the environment. */
export const contentsPlace = ({ s3 }: Pick<Environment, 's3'>): ContentsPlace => (s3 ? 's3' : 'disk');

export async function readInstallation(database: Database): Promise<Installation> {
  return database.selectFrom('installation').select(['contents', 'move']).executeTakeFirstOrThrow();
}

export async function saveInstallation(transaction: Database, change: Change): Promise<void> {
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
  const { contents, move } = await readInstallation(database);
  if (move !== null) {
    const journal = await readMoveJournal(dataDir);
    if (journal?.id !== move || !(await hasLeft(journal, dataDir, isClosed))) throw stillArriving();
    await saveInstallation(database, { move: null });
  }
  return { contents, move: null };
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
