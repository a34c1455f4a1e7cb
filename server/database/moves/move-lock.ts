import { sql } from 'kysely';
import { StartError } from '../../environment.ts';
import type { Database } from '../tables.ts';

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
