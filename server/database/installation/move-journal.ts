import { open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '../durable-files.ts';

/**
 * A file in the data folder that describes an unfinished move. Without it, the program could not distinguish
 * the data of an interrupted move from the data of another site.
 */
export type MoveJournal = {
  id: string;
  /** The time when the move began. The move adds it to the names of the old database and folders. */
  stamp: string;
  /**
   * From where to where the rows and the contents are moved: `sqlite`, `disk`, or a URL without its password.
   * Absent if the rows, or the contents, are not moved.
   */
  rows?: { from: string; to: string };
  contents?: { from: string; to: string };
  /** The URL of the old PostgreSQL database, which can hold a password. Written once all rows are copied. */
  oldDatabaseUrl?: string;
};

const fileIn = (dataDir: string) => path.join(dataDir, 'move.json');

export async function readMoveJournal(dataDir: string): Promise<MoveJournal | undefined> {
  const text = await readFile(fileIn(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  return text === undefined ? undefined : (JSON.parse(text) as MoveJournal);
}

/** Replaces the journal and syncs it to the disk. */
export async function writeMoveJournal(dataDir: string, journal: MoveJournal): Promise<void> {
  const unfinished = `${fileIn(dataDir)}.unfinished`;
  const file = await open(unfinished, 'w', 0o600);
  try {
    await file.writeFile(JSON.stringify(journal));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, fileIn(dataDir));
  await syncFolder(dataDir);
}

export async function removeMoveJournal(dataDir: string): Promise<void> {
  await rm(fileIn(dataDir), { force: true });
}

/** The name of SQLite's file after a move to PostgreSQL. */
export const movedSqliteFile = (dataDir: string, stamp: string) =>
  path.join(dataDir, `acolhe.moved-${stamp}.sqlite`);

/** The schema that holds the tables after a move from PostgreSQL. */
export const movedSchema = (stamp: string) => `acolhe_moved_${stamp}`;
