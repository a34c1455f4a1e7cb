import { randomUUID } from 'node:crypto';
import { link, open, rm } from 'node:fs/promises';
import path from 'node:path';

/** Flushes the names in a folder to the disk, so that a power cut loses no renamed or linked file. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes a new file and flushes it to the disk. Only this user can read the file. */
export async function writeDurably(file: string, content: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Creates a file with its whole content or not at all, for example on a full disk. If another process creates
 * the file at the same time, the file of that process stays. A crash can leave a temporary file, whose name
 * begins with the file's name and ends with `.tmp`.
 */
export async function createOnce(file: string, content: string): Promise<void> {
  const unfinished = `${file}.${randomUUID()}.tmp`;
  try {
    await writeDurably(unfinished, content);
    await link(unfinished, file);
    await syncFolder(path.dirname(file));
  } catch (error) {
    // Another process has linked its file (EEXIST), and may have removed this temporary file (ENOENT).
    if (!['EEXIST', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    await rm(unfinished, { force: true });
  }
}
