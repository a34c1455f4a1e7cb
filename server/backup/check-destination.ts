import type { Database } from '../database/connect.ts';
import type { BackupSettings } from '../environment-backup.ts';
import { findDeletionsKey, installationOf } from './deletions.ts';
import { requireDestination } from './place/claim-destination.ts';
import { openBackupStore } from './place/open-backup-store.ts';

/**
 * Checks that the next backup can use the destination, and changes nothing.
 * @param database undefined if there is no site yet
 * @returns the folder or the bucket
 * @throws StartError
 */
export async function checkDestination(
  database: Database | undefined,
  { destination }: BackupSettings,
): Promise<string> {
  const store = await openBackupStore(destination);
  await store.check();
  if (!database) return store.destination;
  const key = await findDeletionsKey(database);
  const installation = key === undefined ? undefined : installationOf(key);
  await requireDestination(store, database, { installation, isNew: false });
  return store.destination;
}
