import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../environment.ts';
import { createDataFolder } from './data-folder.ts';

const sqliteBusy = 5;
/** Keeps a reference to each lock, because the garbage collector closes a database without references. */
const held = new Set<DatabaseSync>();

/**
 * Takes the exclusive right to run a server on a data folder. The lock is SQLite's lock of an empty file,
 * because Node has no file locks. The operating system releases the lock when the process ends or is killed.
 * @param refusal the error message if another process has the lock
 * @returns a function that releases the lock
 * @throws StartError when another process has the lock
 */
export function lockDataFolder(
  dataDir: string,
  refusal = `Outro servidor já usa a pasta de dados ${dataDir}: pare-o antes de começar este, ou escolha outra pasta com DATA_DIR.`,
): () => void {
  createDataFolder(dataDir);
  const lock = new DatabaseSync(path.join(dataDir, 'server.lock'), { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (cause) {
    lock.close();
    if ((cause as { errcode?: number }).errcode !== sqliteBusy) throw cause;
    throw new StartError(refusal, { cause });
  }
  held.add(lock);
  return () => {
    held.delete(lock);
    lock.close();
  };
}
