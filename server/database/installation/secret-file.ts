import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { createOnce, syncFolder, writeDurably } from '../durable-files.ts';

const leastLetters = 32;

export const newSecret = () => randomBytes(32).toString('base64url');

/** Reads a secret of the data folder. @returns undefined if there is no such file */
export async function readSecretFile(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

/** False for a file that is empty or holds zeros after a crash. What such a key signs could be forged. */
export const isWholeSecret = (secret: string) =>
  secret.trim().length >= leastLetters && !secret.includes('\0');

/** Creates a file with a new secret, unless the file exists. */
export async function createSecretFile(file: string): Promise<void> {
  const folder = path.dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await createOnce(file, newSecret());
  // Removes the temporary files of earlier starts that crashed in `createOnce`.
  for (const entry of await readdir(folder)) {
    if (entry.startsWith(`${path.basename(file)}.`) && entry.endsWith('.tmp'))
      await rm(path.join(folder, entry), { force: true });
  }
}

/** Puts a secret into the data folder, in place of an earlier one. */
export async function replaceSecretFile(file: string, secret: string): Promise<void> {
  const unfinished = `${file}.${randomUUID()}.tmp`;
  await writeDurably(unfinished, secret);
  await rename(unfinished, file);
  await syncFolder(path.dirname(file));
}
