import type { BackupSettings } from '../../environment-backup.ts';
import { openBackupFolder } from './backup-folder.ts';
import type { BackupStore } from './backup-store.ts';
import { isInBackground, pacedStore } from './paced.ts';

export async function openBackupStore(place: BackupSettings['place']): Promise<BackupStore> {
  const store = await openStore(place);
  return isInBackground() ? pacedStore(store) : store;
}

async function openStore(place: BackupSettings['place']): Promise<BackupStore> {
  if ('s3' in place) return (await import('./s3-backup-store.ts')).openS3BackupStore(place.s3);
  return openBackupFolder(place.folder);
}
