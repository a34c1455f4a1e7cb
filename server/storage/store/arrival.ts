import { text } from 'node:stream/consumers';
import type { ContentsPlace } from '#server/database/tables.ts';
import { StartError } from '#server/environment.ts';
import { ContentMissing, type FileStore } from './file-store.ts';

/** The key of the mark that `markArrival` stores. Files have hexadecimal keys, so none can have this key. */
export const arrivalKey = 'move-in-progress';

/** Marks the store while a move copies the contents of a site to it. */
export const markArrival = (store: FileStore, moveId: string): Promise<void> =>
  store.put(arrivalKey, Buffer.from(moveId));

export const unmarkArrival = (store: FileStore): Promise<void> => store.remove([arrivalKey], '');

/** @returns the id of the move that has marked the store; `undefined` if the store has no mark */
export const readArrival = (store: FileStore): Promise<string | undefined> =>
  store.read(arrivalKey).then(text, (error: unknown) => {
    if (error instanceof ContentMissing) return undefined;
    throw error;
  });

/**
 * @param contents the recorded place of the contents
 * @throws StartError when a move to the store has not ended
 */
export async function requireArrivedContents(
  contents: ContentsPlace | null,
  store: FileStore,
): Promise<void> {
  if (contents === store.place || (await readArrival(store)) === undefined) return;
  throw new StartError(
    'A mudança dos arquivos do site para este lugar não terminou, e eles continuam no lugar antigo. Rode de novo o mesmo comando npm run move, na mesma pasta de dados: ele termina a mudança.',
  );
}
