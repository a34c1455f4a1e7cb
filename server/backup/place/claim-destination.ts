import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Database } from '../../database/connect.ts';
import { StartError } from '../../environment.ts';
import { type BackupStore, ObjectMissing } from './backup-store.ts';

/**
 * Each destination (a folder or a bucket) belongs to one installation, and each installation has one.
 * Otherwise several machines could keep backups in several folders, each with only some of the days and some
 * of the deleted accounts.
 */

const installationName = 'installation';
const destinationName = 'place-id';
const onlyRow = 1;

/** Thrown when the installation keeps its backups in another destination. */
export class OtherDestination extends StartError {}

/** The ids that a destination has; each is undefined until the first backup. */
type Found = { owner: string | undefined; destination: string | undefined };

/**
 * Checks that this installation keeps its backups in the destination, and changes nothing.
 * @param options.installation undefined if this installation has no id yet
 * @param options.isNew true to use this destination from now on instead of the earlier one
 * @throws StartError when another installation keeps its backups there; OtherDestination when this
 * one keeps its backups elsewhere
 */
export async function requireDestination(
  store: BackupStore,
  database: Database,
  { installation, isNew }: { installation: string | undefined; isNew: boolean },
): Promise<Found> {
  const owner = await readName(store, installationName);
  if (owner !== undefined && owner !== installation)
    throw new StartError(
      `Em ${store.destination} estão os backups de outra instalação. Nada foi mudado. Escolha outro lugar para estes.`,
    );
  const [found, noted] = [await readName(store, destinationName), await readNoted(database)];
  if (noted !== undefined && noted !== found && !isNew)
    throw new OtherDestination(
      [
        `Em ${store.destination} não está o lugar dos backups deste site. Nada foi gravado.`,
        'Se ele é um disco, veja se está montado.',
        'Com várias máquinas, escreva em todas o mesmo bucket, ou uma pasta que todas veem.',
        'Se é mesmo um lugar novo, rode npm run backup -- --new-place.',
      ].join(' '),
    );
  return { owner, destination: found };
}

/**
 * Marks the destination as belonging to this installation, and notes the destination in the database.
 * @throws like `requireDestination`
 */
export async function claimDestination(
  store: BackupStore,
  database: Database,
  options: { installation: string; isNew: boolean },
): Promise<void> {
  const found = await requireDestination(store, database, options);
  const destination = found.destination ?? randomUUID();
  if (found.destination === undefined) await store.write(destinationName, Readable.from([destination]));
  if (found.owner === undefined) await store.write(installationName, Readable.from([options.installation]));
  await database
    .insertInto('backupPlace')
    .values({ id: onlyRow, place: destination })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ place: destination }))
    .execute();
}

/** True if the last backup was made in this destination. */
export async function isNotedDestination(store: BackupStore, database: Database): Promise<boolean> {
  const noted = await readNoted(database);
  return noted !== undefined && noted === (await readName(store, destinationName));
}

/**
 * Forgets the destination that this database names. A restore calls this, because the restored rows come from
 * another installation.
 */
export async function forgetDestination(transaction: Database): Promise<void> {
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
