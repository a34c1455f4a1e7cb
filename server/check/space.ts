import { existsSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import type { FoundDatabase } from '../database/open.ts';
import { type Environment, StartError } from '../environment.ts';
import { readSpace, type Space } from './operation-state.ts';

/** A migration of SQLite writes a copy of the database, and then at most all of it to the log. */
const migrationFactor = 2;
const sparedBytes = 8_000_000;

/**
 * Checks that the disk has space for the migrations that a start would run.
 * @returns the space of the disk
 * @throws StartError
 */
export async function checkSpace(
  { dataDir, databaseUrl }: Environment,
  found: FoundDatabase | undefined,
): Promise<Space> {
  const space = await readSpace(existingFolder(dataDir));
  const mustMigrate = found === undefined || found.pending.length > 0;
  const copied = found && databaseUrl === undefined ? await sizeOf(found) : 0;
  const missing = mustMigrate ? copied * migrationFactor + sparedBytes - space.free : 0;
  if (missing > 0)
    throw new StartError(
      `Faltam ${Math.ceil(missing / 1_000_000)} MB livres no disco de ${dataDir} para preparar o banco de dados. Nada foi mudado. Abra espaço e comece de novo.`,
    );
  return space;
}

async function sizeOf({ database }: FoundDatabase): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`.execute(database);
  return rows[0]?.bytes ?? 0;
}

function existingFolder(place: string): string {
  return existsSync(place) ? place : existingFolder(path.dirname(place));
}
