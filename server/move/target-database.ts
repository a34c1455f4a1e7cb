import { existsSync } from 'node:fs';
import { mkdir, open, rename, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
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
import { sqliteFileIn } from '../database/data-folder.ts';
import { syncFolder } from '../database/durable-files.ts';
import { requireNoInstance } from '../database/instances.ts';
import { migrations } from '../database/migrations/migrations.ts';
import { wasMoved } from '../database/moves/close-postgres.ts';
import { readInstallation } from '../database/moves/installation.ts';
import type { MoveJournal } from '../database/moves/journal.ts';
import { isSameDatabase, lockForMove } from '../database/moves/move-lock.ts';
import { tableRows } from '../database/rows/columns.ts';
import { clearNewInstallation, requireNewInstallation } from '../database/rows/new-installation.ts';
import { createSqliteReader } from '../database/sqlite.ts';
import type { Tables } from '../database/tables.ts';
import { type Environment, StartError } from '../environment.ts';
import type { HeldSource } from './hold-source.ts';
import { sameDatabase } from './places.ts';
import { formatBytes } from './progress.ts';

/**
 * The free space that SQLite needs, as a multiple of the tables' size in PostgreSQL. SQLite writes all rows
 * twice: to its log, and then to its file. The rest is a margin.
 */
const sqliteRoomFactor = 3;
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
  const { rows } = await sql<{ bytes: number }>`select sum(pg_total_relation_size(${sql.join([
    sql`name::regclass`,
  ])}))::bigint as bytes from unnest(array[${sql.join(
    Object.keys(tableRows).map((name) => sql.lit(`"${name}"`)),
  )}]) as name`.execute(held.rows);
  await requireRoom(dataDir, Number(rows[0]?.bytes) * sqliteRoomFactor);
}

/** @throws StartError when the disk of the data folder has too little room */
export async function requireRoom(dataDir: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir);
  const missing = bytes + sparedBytes - bavail * bsize;
  if (missing > 0)
    throw new StartError(
      `Faltam ${formatBytes(missing)} livres no disco de ${dataDir}. Nada foi mudado. Abra espaço e tente de novo.`,
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
  const { dataDir } = target;
  const unfinished = unfinishedFolder(dataDir);
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  const database = connect({ dataDir: unfinished, databaseUrl: undefined });
  try {
    await migrate(database);
    await database.transaction().execute(async (transaction) => {
      await clearNewInstallation(transaction);
      await fill(transaction);
    });
    await sql`pragma wal_checkpoint(truncate)`.execute(database);
  } catch (error) {
    await database.destroy();
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
  await database.destroy();
  const file = await open(sqliteFileIn(unfinished), 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  for (const suffix of ['-wal', '-shm']) await rm(sqliteFileIn(dataDir) + suffix, { force: true });
  // Replaces the file that an earlier attempt of this move left. No server has used that file.
  await rename(sqliteFileIn(unfinished), sqliteFileIn(dataDir));
  await syncFolder(dataDir);
}

/** The folder in which a new SQLite database is made. */
export const unfinishedFolder = (dataDir: string) => path.join(dataDir, 'move-unfinished');

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

/**
 * Prepares the target, and fills it. Without `fill`, it only prepares the target, and rolls everything back.
 */
async function withinPostgres(
  target: Environment,
  held: HeldSource,
  journal: MoveJournal,
  fill: ((transaction: Database) => Promise<void>) | undefined,
): Promise<void> {
  const database = connect({ ...target, databasePool: 1 });
  try {
    const transaction = await database.startTransaction().execute();
    try {
      await prepare(transaction, held, journal);
      await fill?.(transaction);
      if (fill) await transaction.commit().execute();
    } finally {
      if (!transaction.isCommitted)
        await transaction
          .rollback()
          .execute()
          .catch(() => {});
    }
  } catch (error) {
    throw fill ? error : meaningOf(error);
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
