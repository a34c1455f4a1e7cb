import { text } from 'node:stream/consumers';
import type { Database } from '#server/database/connect.ts';
import { readInstallation } from '#server/database/moves/installation.ts';
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

/** @throws StartError when a move to the store has not ended */
export async function requireArrivedContents(database: Database, store: FileStore): Promise<void> {
  const { contents } = await readInstallation(database);
  if (contents === store.place) return;
  // An unreachable store does not prevent the start.
  if ((await readArrival(store).catch(() => undefined)) === undefined) return;
  throw new StartError(
    'A mudança dos arquivos do site para este lugar não terminou, e eles continuam no lugar antigo. Rode de novo o mesmo comando npm run move, na mesma pasta de dados: ele termina a mudança.',
  );
}
