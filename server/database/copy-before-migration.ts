import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { limits } from '#contract/limits.ts';
import { StartError } from '../environment.ts';
import { type Database, readMigrationNames } from './connect.ts';
import { syncFolder } from './durable-files.ts';
import { migrations } from './migrations/migrations.ts';

const copyName = /^before-(\d+-[\w-]+)\.sqlite$/;
const keptCopies = 2;
const keptMs = limits.databaseCopyMaxDays * 24 * 60 * 60_000;

/**
 * Copies the SQLite database to `before-<migration>.sqlite` in the data folder before a migration changes it.
 * Then deletes all copies except the newest two. Does not copy a new database, or one that needs no
 * migration.
 * @returns the name of the copy; undefined if there is none
 * @throws StartError when the copy fails; the database is then unchanged
 */
export async function copyBeforeMigration(database: Database, dataDir: string): Promise<string | undefined> {
  const applied = await readMigrationNames(database);
  const next = Object.keys(migrations)
    .sort()
    .find((name) => !applied.includes(name));
  if (applied.length === 0 || next === undefined) return undefined;
  const name = `before-${next}.sqlite`;
  const unfinished = path.join(dataDir, `${name}.unfinished`);
  try {
    // Removes an unfinished copy that a crash has left.
    await rm(unfinished, { force: true });
    await sql`vacuum into ${unfinished}`.execute(database);
    await syncFile(unfinished);
    await rename(unfinished, path.join(dataDir, name));
    await syncFolder(dataDir);
  } catch (cause) {
    await rm(unfinished, { force: true }).catch(() => {});
    throw new StartError(
      `O banco de dados precisa ser atualizado, mas antes não foi possível gravar uma cópia dele em ${dataDir}. Nada foi mudado. Veja se há espaço no disco e permissão para gravar ali, e comece de novo.`,
      { cause },
    );
  }
  await removeOldCopies(dataDir);
  return name;
}

async function syncFile(name: string): Promise<void> {
  const file = await open(name, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The names contain the numbers of the migrations, so sorted names are in chronological order. */
async function removeOldCopies(dataDir: string): Promise<void> {
  const copies = (await readdir(dataDir)).filter((name) => copyName.test(name)).sort();
  for (const name of copies.slice(0, -keptCopies)) await rm(path.join(dataDir, name), { force: true });
}

/**
 * Deletes finished and unfinished copies that are older than `keptMs`, because old copies still contain
 * accounts that have been deleted since.
 * @param now epoch milliseconds
 */
export async function deleteOldCopies(dataDir: string, now = Date.now()): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!copyName.test(name.replace(/\.unfinished$/, ''))) continue;
    const file = path.join(dataDir, name);
    if ((await stat(file)).mtimeMs < now - keptMs) await rm(file, { force: true });
  }
}
