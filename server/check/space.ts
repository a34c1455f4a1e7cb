import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import type { FoundDatabase } from '../database/open.ts';
import { type Environment, StartError } from '../environment.ts';

/** A migration of SQLite writes a copy of the database, and then at most all of it to the log. */
const migrationFactor = 2;
const sparedBytes = 8_000_000;
/** Space is low below a tenth of the disk. On a large disk, 5 GB are enough, as in deploy/alerts.yml. */
const [lowPart, lowBytes] = [0.1, 5_000_000_000];

/**
 * Checks that the disk has space for the migrations that a start would run.
 * @returns the free bytes, and whether they are few
 * @throws StartError
 */
export async function checkSpace(
  { dataDir, databaseUrl }: Environment,
  found: FoundDatabase | undefined,
): Promise<{ free: number; isLow: boolean }> {
  const { bavail, blocks, bsize } = await statfs(existingFolder(dataDir));
  const free = bavail * bsize;
  const mustMigrate = found === undefined || found.pending.length > 0;
  const copied = found && databaseUrl === undefined ? await sizeOf(found) : 0;
  const missing = mustMigrate ? copied * migrationFactor + sparedBytes - free : 0;
  if (missing > 0)
    throw new StartError(
      `Faltam ${Math.ceil(missing / 1_000_000)} MB livres no disco de ${dataDir} para preparar o banco de dados. Nada foi mudado. Abra espaço e comece de novo.`,
    );
  return { free, isLow: free < Math.min(blocks * bsize * lowPart, lowBytes) };
}

async function sizeOf({ database }: FoundDatabase): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`.execute(database);
  return rows[0]?.bytes ?? 0;
}

function existingFolder(place: string): string {
  return existsSync(place) ? place : existingFolder(path.dirname(place));
}
