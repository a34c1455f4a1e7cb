import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Database } from '../../database/connect.ts';
import { StartError } from '../../environment.ts';
import { type BackupStore, ObjectMissing } from './backup-store.ts';

/**
 * Each place (a folder or a bucket) belongs to one installation, and each installation has one place.
 * Otherwise several machines could keep backups in several folders, each with only some of the days and some
 * of the deleted accounts.
 */

const installationName = 'installation';
const placeName = 'place-id';
const onlyRow = 1;

/** Thrown when the installation keeps its backups in another place. */
export class OtherPlace extends StartError {}

/**
 * Marks the place as belonging to this installation, and notes the place in the database.
 * @param options.isNew true to use this place from now on instead of the earlier one
 * @throws StartError when another installation keeps its backups there; OtherPlace when this one keeps its
 * backups in another place
 */
export async function claimPlace(
  store: BackupStore,
  database: Database,
  { installation, isNew }: { installation: string; isNew: boolean },
): Promise<void> {
  const owner = await readName(store, installationName);
  if (owner !== undefined && owner !== installation)
    throw new StartError(
      `Em ${store.place} estão os backups de outra instalação. Nada foi mudado. Escolha outro lugar para estes.`,
    );
  const [found, noted] = [await readName(store, placeName), await readNoted(database)];
  if (noted !== undefined && noted !== found && !isNew)
    throw new OtherPlace(
      [
        `Em ${store.place} não está o lugar dos backups deste site. Nada foi gravado.`,
        'Se ele é um disco, veja se está montado.',
        'Com várias máquinas, escreva em todas o mesmo bucket, ou uma pasta que todas veem.',
        'Se é mesmo um lugar novo, rode npm run backup -- --new-place.',
      ].join(' '),
    );
  const place = found ?? randomUUID();
  if (found === undefined) await store.write(placeName, Readable.from([place]));
  if (owner === undefined) await store.write(installationName, Readable.from([installation]));
  await database
    .insertInto('backupPlace')
    .values({ id: onlyRow, place })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ place }))
    .execute();
}

/** True if the last backup was made in this place. */
export async function isNotedPlace(store: BackupStore, database: Database): Promise<boolean> {
  const noted = await readNoted(database);
  return noted !== undefined && noted === (await readName(store, placeName));
}

/**
 * Forgets the place that this database names. A restore calls this, because the restored rows come from
 * another installation.
 */
export async function forgetPlace(transaction: Database): Promise<void> {
  await transaction.deleteFrom('backupPlace').execute();
}

async function readNoted(database: Database): Promise<string | undefined> {
  const row = await database.selectFrom('backupPlace').select('place').executeTakeFirst();
  return row?.place;
}

async function readName(store: BackupStore, name: string): Promise<string | undefined> {
  return store.read(name).then(text, (error: unknown) => {
    if (!(error instanceof ObjectMissing)) throw error;
    return undefined;
  });
}
