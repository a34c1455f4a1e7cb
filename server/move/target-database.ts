import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { Kysely, sql } from 'kysely';
import { isDatabaseAway } from '../database/away.ts';
import {
  connect,
  type Database,
  databaseKind,
  lockMigrations,
  migrate,
  readMigrationNames,
} from '../database/connect.ts';
import { sqliteFileIn } from '../database/installation/data-folder.ts';
import { readInstallation } from '../database/installation/installation.ts';
import type { MoveJournal } from '../database/installation/move-journal.ts';
import { isSameDatabase, lockForMove, wasMoved } from '../database/installation/postgres-moves.ts';
import { requireNoInstance } from '../database/leases.ts';
import { migrations } from '../database/migrations/migrations.ts';
import { tableRows } from '../database/rows/columns.ts';
import {
  clearNewInstallation,
  createSqlite,
  requireNewInstallation,
} from '../database/rows/new-installation.ts';
import { createSqliteReader } from '../database/sqlite.ts';
import type { Tables } from '../database/tables.ts';
import { type Environment, StartError } from '../environment.ts';
import type { HeldSource } from './hold-source.ts';
import { sameDatabase } from './places.ts';

/**
 * The free space that SQLite needs, as a multiple of the tables' size in PostgreSQL. SQLite writes all rows
 * twice: to its log, and then to its file. The rest is a margin.
 */
const sqliteSpaceFactor = 3;
const sparedBytes = 64 * 1024 * 1024;

/**
 * Checks that the new database can take the site: it is reachable, writable and empty.
 * @throws StartError when it cannot; nothing has changed then
 */
export async function checkTarget(
  target: Environment,
  held: HeldSource,
  journal: MoveJournal,
): Promise<void> {
  if (databaseKind(target) === 'postgres') return withinPostgres(target, held, journal, undefined);
  const { dataDir } = target;
  if (existsSync(sqliteFileIn(dataDir)) && !(await isOwn(dataDir, journal)))
    throw new StartError(
      `Já há um banco de dados em ${sqliteFileIn(dataDir)}. Nada foi mudado. Guarde-o em outro lugar e tente de novo.`,
    );
  const { rows } = await sql<{
    bytes: number;
  }>`select sum(pg_total_relation_size(name::regclass))::bigint as bytes from unnest(array[${sql.join(
    Object.keys(tableRows).map((name) => sql.lit(`"${name}"`)),
  )}]) as name`.execute(held.rows);
  await requireSpace(dataDir, Number(rows[0]?.bytes) * sqliteSpaceFactor);
}

/** @throws StartError when the disk of the data folder has too little space */
export async function requireSpace(dataDir: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir);
  const missing = bytes + sparedBytes - bavail * bsize;
  if (missing > 0)
    throw new StartError(
      `Faltam ${Math.ceil(missing / 1_000_000)} MB livres no disco de ${dataDir}. Nada foi mudado. Abra espaço e tente de novo.`,
    );
}

/**
 * Fills the new database in one transaction. When this function returns, the new database is complete and on
 * the disk. Servers refuse it until the old one is closed.
 * @param fill writes the rows, and the id of the move
 */
export async function fillTarget(
  target: Environment,
  held: HeldSource,
  journal: MoveJournal,
  fill: (transaction: Database) => Promise<void>,
): Promise<void> {
  if (databaseKind(target) === 'postgres') return withinPostgres(target, held, journal, fill);
  await createSqlite(target.dataDir, unfinishedFolder, async (database) => {
    await migrate(database);
    await database.transaction().execute(async (transaction) => {
      await clearNewInstallation(transaction);
      await fill(transaction);
    });
  });
}

/** The folder in the data folder in which a new SQLite database is made. */
export const unfinishedFolder = 'move-unfinished';

/** True if an earlier attempt of the same move has made the database. */
async function isOwn(dataDir: string, journal: MoveJournal): Promise<boolean> {
  const database = new Kysely<Tables>({ dialect: createSqliteReader(sqliteFileIn(dataDir)) });
  try {
    return (await readInstallation(database)).move === journal.id;
  } catch {
    return false;
  } finally {
    await database.destroy();
  }
}

/** Ends a transaction that only checks, without a change. */
class OnlyChecked extends Error {}

/** Prepares the target, and fills it, in one transaction. Without `fill`, it only checks the target. */
async function withinPostgres(
  target: Environment,
  held: HeldSource,
  journal: MoveJournal,
  fill: ((transaction: Database) => Promise<void>) | undefined,
): Promise<void> {
  const database = connect({ ...target, databasePool: 1 });
  try {
    await database.transaction().execute(async (transaction) => {
      await prepare(transaction, held, journal);
      if (!fill) throw new OnlyChecked();
      await fill(transaction);
    });
  } catch (error) {
    if (!(error instanceof OnlyChecked)) throw fill ? error : meaningOf(error);
  } finally {
    await database.destroy();
  }
}

/** @throws StartError when the target is not empty, is in use, or is of another version */
async function prepare(transaction: Database, held: HeldSource, journal: MoveJournal): Promise<void> {
  if (await isSameDatabase(transaction, held.mark)) throw sameDatabase();
  await lockForMove(transaction);
  const { rows } = await sql<{ server_encoding: string }>`show server_encoding`.execute(transaction);
  if (rows[0]?.server_encoding !== 'UTF8')
    throw new StartError(
      'O banco de dados de destino não usa UTF8. Nada foi mudado. Crie outro com: createdb --encoding=UTF8',
    );
  await requireCreateRight(transaction);
  const names = await readMigrationNames(transaction);
  const isOld = wasMoved(names);
  if (isOld) await sql`drop table kysely_migration`.execute(transaction);
  if (isOld || names.length === 0) {
    await requireNoForeignTables(transaction);
    await lockMigrations(transaction);
    await migrate(transaction);
  } else await requireOwnOrNew(transaction, names, journal);
  await clearNewInstallation(transaction);
}

async function requireCreateRight(transaction: Database): Promise<void> {
  const { rows } = await sql<{ allowed: boolean | null }>`select
    has_schema_privilege(current_schema(), 'create') and not pg_is_in_recovery() as allowed`.execute(
    transaction,
  );
  if (rows[0]?.allowed !== true)
    throw new StartError(
      'O PostgreSQL de destino não deixa criar tabelas. Nada foi mudado. Peça esse direito a quem cuida dele.',
    );
}

async function requireNoForeignTables(transaction: Database): Promise<void> {
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relname in (${sql.join(Object.keys(tableRows))})`.execute(
    transaction,
  );
  if (rows[0])
    throw new StartError(
      `No banco de dados de destino já há uma tabela ${rows[0].name}, de outro programa. Nada foi mudado. Escolha um banco de dados vazio.`,
    );
}

async function requireOwnOrNew(
  transaction: Database,
  names: readonly string[],
  journal: MoveJournal,
): Promise<void> {
  const known = Object.keys(migrations);
  if (names.length !== known.length || names.some((name) => !known.includes(name)))
    throw new StartError(
      'O banco de dados de destino é de outra versão deste programa. Nada foi mudado. Escolha um banco de dados vazio.',
    );
  await requireNoInstance(transaction, 'postgres');
  const { move } = await readInstallation(transaction);
  if (move !== null && move !== journal.id)
    throw new StartError(
      'No banco de dados de destino há outra mudança que não terminou. Nada foi mudado. Rode de novo o comando daquela mudança, ou escolha um banco de dados vazio.',
    );
  if (move === null) await requireNewInstallation(transaction, 'no banco de dados de destino');
}

/** Turns an error of PostgreSQL into a StartError that explains why it cannot be the target. */
function meaningOf(cause: unknown): unknown {
  const { code = '', message } = cause as { code?: string; message: string };
  if (cause instanceof StartError) return cause;
  if (/^(?:28|3D)[0-9A-Z]{3}$/.test(code))
    return new StartError(
      `O PostgreSQL de destino recusou a conexão (${message}). Nada foi mudado. Confira o endereço depois de --to-database; o banco de dados precisa existir.`,
      { cause },
    );
  if (isDatabaseAway(cause))
    return new StartError(
      `O PostgreSQL de destino não respondeu (${message}). Nada foi mudado. Veja se ele está no ar, e confira o endereço depois de --to-database.`,
      { cause },
    );
  return cause;
}
