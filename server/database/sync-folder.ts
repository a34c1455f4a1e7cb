import { open } from 'node:fs/promises';

/** Flushes the names in a folder to the disk, so that a power cut loses no renamed or linked file. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
