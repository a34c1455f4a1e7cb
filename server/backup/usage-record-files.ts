import { type FileHandle, open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { StartError } from '../environment.ts';

/**
 * Opens the files of usage records, one after the other, and closes each. The server may compress or delete
 * old files meanwhile. A file that is gone is left out, and an open file stays readable.
 * @param folder may be missing
 * @throws StartError when the folder or a file cannot be read
 */
export async function* openUsageRecords(
  folder: string,
): AsyncGenerator<{ file: string; handle: FileHandle; size: number }> {
  const names = (await readdir(folder).catch(ignoreMissing)) ?? [];
  for (const file of names.filter((name) => /^[\d-]{10}\.jsonl(?:\.gz)?$/.test(name)).sort()) {
    const handle = await open(path.join(folder, file)).catch(ignoreMissing);
    if (!handle) continue;
    try {
      yield { file, handle, size: (await handle.stat()).size };
    } finally {
      await handle.close();
    }
  }
}

function ignoreMissing(cause: NodeJS.ErrnoException): undefined {
  if (cause.code === 'ENOENT') return undefined;
  throw new StartError(`Os registros de acesso não puderam ser lidos: ${cause.message}`, { cause });
}
