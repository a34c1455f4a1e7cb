import { sql } from 'kysely';
import { StartError } from '../../environment.ts';
import { tableRows } from '../rows/columns.ts';
import type { Database } from '../tables.ts';
import { movedSchema } from './move-journal.ts';

/**
 * The new names that a move gives to Kysely's tables. Kysely searches all schemas, so it would still find
 * tables with the original names in the schema of the moved tables.
 */
const migrationTables = { kysely_migration: 'migration', kysely_migration_lock: 'migration_lock' };
/**
 * After a move, `kysely_migration` contains a single name, which begins with this prefix. No migration has
 * such a name.
 */
const movedPrefix = 'moved-';
const lockTimeoutMs = 5_000;
/** SQLSTATE codes of PostgreSQL: lock_not_available and insufficient_privilege. */
const [isLocked, isForbidden] = ['55P03', '42501'];

/**
 * In the caller's transaction, moves all tables to a new schema, where servers do not find them. Then it
 * creates a table of migrations that contains an unknown name. Every version of the program reads only that
 * table before it creates tables. So every version refuses to use the database. Until the transaction ends,
 * no other connection can read or write the tables.
 * @param stamp the time of the move, part of the schema's name
 * @throws StartError when the tables are in use, or the database's user lacks the permission
 */
export async function closePostgres(transaction: Database, stamp: string): Promise<void> {
  const schema = sql.id(movedSchema(stamp));
  try {
    await sql`set local lock_timeout = ${sql.lit(lockTimeoutMs)}`.execute(transaction);
    const { rows: functions } = await sql<{ name: string }>`
      select distinct tgfoid::regprocedure::text as name from pg_trigger
      where not tgisinternal and tgrelid = any (array[${sql.join(
        Object.keys(tableRows).map((name) => sql`${sql.lit(`"${name}"`)}::regclass`),
      )}])`.execute(transaction);
    await sql`create schema ${schema}`.execute(transaction);
    for (const [table, name] of Object.entries(migrationTables))
      await sql`alter table ${sql.table(table)} rename to ${sql.id(name)}`.execute(transaction);
    for (const table of [...Object.keys(tableRows), ...Object.values(migrationTables)])
      await sql`alter table ${sql.table(table)} set schema ${schema}`.execute(transaction);
    for (const { name } of functions)
      await sql`alter function ${sql.raw(name)} set schema ${schema}`.execute(transaction);
    await sql`create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(
      transaction,
    );
    await sql`insert into kysely_migration values (${movedPrefix + stamp}, now()::text)`.execute(transaction);
    await sql`set local search_path = ${schema}`.execute(transaction);
  } catch (cause) {
    throw meaningOf(cause);
  }
}

/**
 * Makes the tables read-only for other connections until the caller's transaction ends.
 * @throws StartError when the tables are in use, or the database's user lacks the permission
 */
export async function holdPostgres(transaction: Database): Promise<void> {
  const tables = sql.join(Object.keys(tableRows).map((name) => sql.table(name)));
  try {
    await sql`set local lock_timeout = ${sql.lit(lockTimeoutMs)}`.execute(transaction);
    await sql`lock table ${tables} in exclusive mode`.execute(transaction);
  } catch (cause) {
    throw meaningOf(cause);
  }
}

/** True if the names in a database's table of migrations say that the site was moved away. */
export const wasMoved = (migrationNames: readonly string[]) =>
  migrationNames.some((name) => name.startsWith(movedPrefix));

/** True if the move with this stamp has closed the database. */
export async function isClosedBy(database: Database, stamp: string): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_namespace where nspname = ${movedSchema(stamp)}`.execute(
    database,
  );
  return rows.length > 0;
}

function meaningOf(cause: unknown): unknown {
  const { code } = cause as { code?: string };
  if (code === isLocked)
    return new StartError(
      'Outro programa está usando as tabelas do site no PostgreSQL. Nada foi mudado. Espere que ele termine e tente de novo.',
      { cause },
    );
  if (code === isForbidden)
    return new StartError(
      'O usuário de DATABASE_URL não pode guardar as tabelas antigas com outro nome. Nada foi mudado. Peça a quem cuida do PostgreSQL: as tabelas do site precisam ser dele, e ele precisa do direito CREATE no banco de dados.',
      { cause },
    );
  return cause;
}

/** An arbitrary number that no other advisory lock of this database uses. */
const moveLock = 7_002;

/**
 * Prevents moves and imports of a PostgreSQL database until the transaction ends.
 * @throws StartError during a move or an import
 */
export async function requireNoMove(transaction: Database): Promise<void> {
  if (await lock(transaction, sql`pg_try_advisory_xact_lock_shared(${sql.lit(moveLock)})`)) return;
  throw new StartError(
    'Uma mudança deste banco de dados está em andamento (npm run move ou npm run import): espere que ela termine, e siga o que ela diz no fim.',
  );
}

/**
 * Takes the exclusive right to move a PostgreSQL database or to import into it. Until the transaction ends,
 * no server can start, and no other move or import can begin.
 * @throws StartError during a move or an import, or while a server starts
 */
export async function lockForMove(transaction: Database): Promise<void> {
  if (await lock(transaction, sql`pg_try_advisory_xact_lock(${sql.lit(moveLock)})`)) return;
  throw new StartError(
    'Outra mudança ou importação, ou um servidor que está começando, já usa este banco de dados. Nada foi mudado. Espere um minuto e tente de novo.',
  );
}

/** Takes a lock by which `isSameDatabase` recognises this database. */
export async function markForComparison(transaction: Database, mark: bigint): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(mark)})`.execute(transaction);
}

/**
 * True if another transaction has marked the same database. Two URLs can name one database, so a comparison
 * of URLs is not enough.
 */
export const isSameDatabase = async (transaction: Database, mark: bigint): Promise<boolean> =>
  !(await lock(transaction, sql`pg_try_advisory_xact_lock(${sql.lit(mark)})`));

async function lock(transaction: Database, attempt: ReturnType<typeof sql>): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`select ${attempt} as taken`.execute(transaction);
  return rows[0]?.taken === true;
}
