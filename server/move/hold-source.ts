import { randomBytes } from 'node:crypto';
import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { sql } from 'kysely';
import { type Database, databaseKind } from '../database/connect.ts';
import { databaseTime } from '../database/database-time.ts';
import { syncFolder } from '../database/durable-files.ts';
import { sqliteFileIn } from '../database/installation/data-folder.ts';
import {
  contentsPlace,
  readInstallation,
  recordStore,
  requireContentsIn,
} from '../database/installation/installation.ts';
import { type MoveJournal, movedSqliteFile } from '../database/installation/move-journal.ts';
import {
  closePostgres,
  holdPostgres,
  lockForMove,
  markForComparison,
} from '../database/installation/postgres-moves.ts';
import { requireNoInstance } from '../database/leases.ts';
import { openCurrentDatabase } from '../database/open.ts';
import { StartError } from '../environment.ts';
import type { Places } from './places.ts';

/**
 * The old place of the site. While it is held, no server can start there, and nothing can be written to it.
 */
export type HeldSource = {
  /** A transaction that sees all rows of the site, and no later changes. */
  rows: Database;
  /** A random number that marks the database, by which `isSameDatabase` recognizes it. */
  mark: bigint;
};

const checkpointAttempts = 5;

/**
 * Runs `work` while nothing can change the old place. Then closes the old place in one atomic step; from then
 * on, the site is in the new place. If `work` fails, or the process ends before that step, the old place is
 * unchanged.
 * @throws StartError when a server runs there
 */
export async function holdSource(
  places: Places,
  journal: MoveJournal,
  work: (held: HeldSource) => Promise<void>,
): Promise<void> {
  const { source, target } = places;
  const kind = databaseKind(source);
  const database = await openCurrentDatabase(source, { withContents: false });
  try {
    if (kind === 'sqlite') await emptyLog(database, source.dataDir);
    const rows = await database.startTransaction().execute();
    try {
      const mark = randomBytes(8).readBigInt64LE();
      if (kind === 'postgres') {
        await lockForMove(rows);
        await requireNoInstance(rows, kind);
        await markForComparison(rows, mark);
      } else requireEmptyLog(source.dataDir);
      await requireNoLease(rows, kind);
      await requirePlaceOfContents(rows, places);
      if (kind === 'postgres' && places.rows) await closePostgres(rows, journal.stamp);
      if (kind === 'postgres' && !places.rows) await holdPostgres(rows);
      await work({ rows, mark });
      if (!places.rows) {
        await recordStore(rows, target);
        await rows.deleteFrom('uploads').where('finishedAt', 'is', null).execute();
      }
      if (kind === 'sqlite' && places.rows) {
        renameSync(sqliteFileIn(source.dataDir), movedSqliteFile(source.dataDir, journal.stamp));
        await syncFolder(source.dataDir);
      } else await rows.commit().execute();
    } finally {
      if (!rows.isCommitted)
        await rows
          .rollback()
          .execute()
          .catch(() => {});
    }
  } finally {
    await database.destroy();
  }
}

/**
 * Writes SQLite's write-ahead log into the database file, so that this file can be renamed alone.
 * @throws StartError
 */
async function emptyLog(database: Database, dataDir: string): Promise<void> {
  for (let attempt = 0; attempt < checkpointAttempts; attempt += 1) {
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(database);
    if (rows[0]?.busy === 0) return;
  }
  throw inUse(dataDir);
}

/** Checks that the log is still empty, once the transaction keeps other processes from writing. */
function requireEmptyLog(dataDir: string): void {
  const log = statSync(`${sqliteFileIn(dataDir)}-wal`, { throwIfNoEntry: false });
  if (log !== undefined && log.size > 0) throw inUse(dataDir);
}

const inUse = (dataDir: string) =>
  new StartError(
    `Outro programa está usando o banco de dados em ${dataDir}. Nada foi mudado. Espere que ele termine e tente de novo.`,
  );

async function requireNoLease(rows: Database, kind: 'sqlite' | 'postgres'): Promise<void> {
  const lease = await rows
    .selectFrom('leases')
    .select('name')
    .where('heldUntil', '>', databaseTime(kind))
    .executeTakeFirst();
  if (lease)
    throw new StartError(
      'Um backup está em andamento. Nada foi mudado. Espere que ele termine e tente de novo.',
    );
}

/** @throws StartError when the files are not where the command expects them */
async function requirePlaceOfContents(rows: Database, { source, target, contents }: Places): Promise<void> {
  const installation = await readInstallation(rows);
  if (contents && installation.contents === contentsPlace(target))
    throw new StartError(
      `Os arquivos do site já estão ${contentsPlace(target) === 's3' ? 'no S3' : 'na pasta de dados'}. Nada foi mudado.`,
    );
  requireContentsIn(installation.contents, contentsPlace(source));
}

/** Removes the log files that SQLite leaves beside a renamed file. They are empty. */
export function removeLogFiles(dataDir: string): void {
  const file = sqliteFileIn(dataDir);
  if (existsSync(file)) return;
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
}
