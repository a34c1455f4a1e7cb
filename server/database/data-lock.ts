import { existsSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../environment.ts';
import { createDataFolder } from './data-folder.ts';

const [sqliteBusy, sqliteReadOnly, sqliteFull] = [5, 8, 13];
/** Longer than `isFolderLocked` takes, whose lock must not stop the start of a server. */
const lockTimeoutMs = 200;
/** Keeps a reference to each lock, because the garbage collector closes a database without references. */
const held = new Set<DatabaseSync>();

/**
 * Takes the exclusive right to run a server on a data folder. The lock is SQLite's lock of an empty file,
 * because Node has no file locks. The operating system releases the lock when the process ends or is killed.
 * @param refusal the error message if another process has the lock
 * @returns a function that releases the lock
 * @throws StartError when another process has the lock, or when the disk is full
 */
export function lockDataFolder(dataDir: string, refusal = lockedFolder(dataDir)): () => void {
  createDataFolder(dataDir);
  const lock = new DatabaseSync(lockFile(dataDir), { timeout: lockTimeoutMs });
  try {
    lock.exec('begin exclusive');
  } catch (cause) {
    lock.close();
    if (isBusy(cause)) throw new StartError(refusal, { cause });
    if (codeOf(cause) === sqliteFull)
      throw new StartError(
        `O disco de ${dataDir} está cheio: abra espaço, e comece de novo o servidor. Nada foi mudado.`,
        { cause },
      );
    throw cause;
  }
  held.add(lock);
  return () => {
    held.delete(lock);
    lock.close();
  };
}

/** True if a server runs on the data folder. Changes nothing in the folder. */
export function isFolderLocked(dataDir: string): boolean {
  // Without the file, no server can be running.
  if (!existsSync(lockFile(dataDir))) return false;
  const lock = new DatabaseSync(lockFile(dataDir), { readOnly: true, timeout: 0 });
  try {
    lock.exec('select 1 from sqlite_schema');
    return false;
  } catch (error) {
    // A killed server leaves a journal, which only a writer could remove.
    if (codeOf(error) === sqliteReadOnly) return false;
    if (!isBusy(error)) throw error;
    return true;
  } finally {
    lock.close();
  }
}

export const lockedFolder = (dataDir: string) =>
  `Outro servidor já usa a pasta de dados ${dataDir}: pare-o antes de começar este, ou escolha outra pasta com DATA_DIR.`;

const lockFile = (dataDir: string) => path.join(dataDir, 'server.lock');

const isBusy = (error: unknown) => codeOf(error) === sqliteBusy;

/** Returns the primary result code, https://www.sqlite.org/rescode.html */
const codeOf = (error: unknown) => ((error as { errcode?: number }).errcode ?? 0) & 0xff;
