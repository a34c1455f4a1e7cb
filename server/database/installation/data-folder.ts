import { accessSync, constants, existsSync, mkdirSync, readdirSync, type Stats, statSync } from 'node:fs';
import { chmod, stat } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../../environment.ts';
import { sqliteCodeOf, sqliteCodes } from '../sqlite-codes.ts';

/**
 * Thrown when a folder or file was replaced or removed during use, so that data written to it would be lost.
 */
export class DataReplaced extends Error {
  override name = 'DataReplaced';
  constructor(place: string) {
    super(`${place} is no longer the one that this server opened.`);
  }
}

/**
 * The files and folders that the server creates in the data folder besides the database. They show that a
 * server has run in the folder. Earlier versions of the program created `access`.
 */
const traces = [
  ...['auth-secret', 'diary-key', 'files', 'uploads', 'usage-records', 'security-events', 'access', 'outbox'],
];

export const sqliteFileIn = (dataDir: string) => path.join(dataDir, 'acolhe.sqlite');

/** Creates the data folder at the first start. @throws StartError when nothing can be written to it */
function createDataFolder(dataDir: string): void {
  // Only this user may read files that this process creates.
  process.umask(0o077);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.W_OK);
  } catch (cause) {
    throw new StartError(`A pasta de dados ${dataDir} não aceita gravação: escolha outra com DATA_DIR.`, {
      cause,
    });
  }
}

/**
 * Creates the data folder at the first start, and restricts it to the server's user at every start.
 * @param sqlite true if the folder contains the database
 * @throws StartError when the folder cannot be used, or the database of an existing site is missing or empty
 */
export async function prepareDataFolder(dataDir: string, sqlite: boolean): Promise<void> {
  createDataFolder(dataDir);
  if (sqlite) requireDatabaseOfFiles(dataDir);
  const database = sqliteFileIn(dataDir);
  try {
    await closeToOthers(dataDir, 0o700);
    for (const file of [database, `${database}-wal`, `${database}-shm`]) await closeToOthers(file, 0o600);
  } catch (cause) {
    throw new StartError(
      `A pasta de dados ${dataDir} pertence a outro usuário: entregue-a ao usuário do servidor com chown -R, ou escolha outra com DATA_DIR.`,
      { cause },
    );
  }
}

/** @throws StartError when `npm run move` has moved the rows from this folder to PostgreSQL */
export function requireNotMoved(dataDir: string): void {
  if (sizeOf(sqliteFileIn(dataDir)) > 0 || !existsSync(dataDir)) return;
  const old = readdirSync(dataDir).find((name) => /^acolhe\.moved-.*\.sqlite$/.test(name));
  if (old === undefined) return;
  throw new StartError(
    `O site foi mudado da pasta de dados ${dataDir} para o PostgreSQL; aqui só está a cópia antiga, em ${old}. Escreva DATABASE_URL: docs/move.md diz o que fazer.`,
  );
}

/**
 * Checks that a folder with the files of a site also has its database.
 * @throws StartError when the database is missing, empty, or was moved to PostgreSQL
 */
export function requireDatabaseOfFiles(dataDir: string): void {
  requireNotMoved(dataDir);
  if (sizeOf(sqliteFileIn(dataDir)) > 0 || !hasRunBefore(dataDir)) return;
  throw new StartError(
    [
      `Na pasta de dados ${dataDir} há arquivos de um site, mas o banco de dados (acolhe.sqlite) está faltando ou vazio.`,
      'Nada foi mudado. Confira DATA_DIR e DATABASE_URL, ou recupere uma cópia de segurança: docs/backup.md diz como.',
    ].join('\n'),
  );
}

/**
 * Checks that a command runs as the server's user. Otherwise the server could not read what the command
 * writes.
 * @throws StartError when the folder belongs to another user
 */
export function requireOwner(dataDir: string): void {
  const user = process.getuid?.();
  const owner = statSync(dataDir, { throwIfNoEntry: false })?.uid;
  if (user !== undefined && owner !== undefined && owner !== user)
    throw new StartError(
      `A pasta de dados ${dataDir} pertence a outro usuário (${owner}). Nada foi mudado. Rode este comando com ele, que deve ser o usuário do servidor.`,
    );
}

/**
 * Remembers which file or folder is at `place` now.
 * @returns a check that takes a few microseconds and throws DataReplaced when the file or folder was replaced
 * or removed
 */
export function rememberIdentity(place: string): () => void {
  const { dev, ino } = statSync(place);
  return () => {
    const now = statSync(place, { throwIfNoEntry: false });
    if (now?.ino !== ino || now.dev !== dev) throw new DataReplaced(place);
  };
}

/** Like `rememberIdentity`, for a data folder and, if `sqlite` is true, also for the database file in it. */
export function rememberData(dataDir: string, sqlite: boolean): () => void {
  const checks = [dataDir, ...(sqlite ? [sqliteFileIn(dataDir)] : [])].map(rememberIdentity);
  return () => {
    for (const check of checks) check();
  };
}

function hasRunBefore(dataDir: string): boolean {
  return traces.some((name) => {
    const found = statSync(path.join(dataDir, name), { throwIfNoEntry: false });
    return found?.isDirectory() ? readdirSync(path.join(dataDir, name)).length > 0 : found !== undefined;
  });
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

async function closeToOthers(place: string, mode: number): Promise<void> {
  const found: Stats | undefined = await stat(place).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
  if (found && (found.mode & 0o777) !== mode) await chmod(place, mode);
}

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
    if (sqliteCodeOf(cause) === sqliteCodes.full)
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
    if (sqliteCodeOf(error) === sqliteCodes.readOnly) return false;
    if (!isBusy(error)) throw error;
    return true;
  } finally {
    lock.close();
  }
}

export const lockedFolder = (dataDir: string) =>
  `Outro servidor já usa a pasta de dados ${dataDir}: pare-o antes de começar este, ou escolha outra pasta com DATA_DIR.`;

const lockFile = (dataDir: string) => path.join(dataDir, 'server.lock');

const isBusy = (error: unknown) => sqliteCodeOf(error) === sqliteCodes.busy;
