import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { StartError } from '../../environment.ts';
import { type BackupStore, ObjectMissing } from './backup-store.ts';

const name = 'installation';

/**
 * Marks the place as that of one installation. Another one would delete backups that are too old for it.
 * @throws StartError when another installation keeps its backups there
 */
export async function claimPlace(store: BackupStore, installation: string): Promise<void> {
  const found = await store.read(name).then(text, (error: unknown) => {
    if (!(error instanceof ObjectMissing)) throw error;
    return undefined;
  });
  if (found === undefined) await store.write(name, Readable.from([installation]));
  else if (found !== installation)
    throw new StartError(
      `Em ${store.place} estão os backups de outra instalação. Nada foi mudado. Escolha outro lugar para estes.`,
    );
}
