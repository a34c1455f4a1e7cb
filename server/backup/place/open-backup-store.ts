import type { BackupSettings } from '../../environment-backup.ts';
import { openBackupFolder } from './backup-folder.ts';
import type { BackupStore } from './backup-store.ts';
import { isInBackground, pacedStore } from './paced.ts';

export async function openBackupStore(destination: BackupSettings['destination']): Promise<BackupStore> {
  const store = await openStore(destination);
  return isInBackground() ? pacedStore(store) : store;
}

async function openStore(destination: BackupSettings['destination']): Promise<BackupStore> {
  if ('s3' in destination) return (await import('./s3-backup-store.ts')).openS3BackupStore(destination.s3);
  return openBackupFolder(destination.folder);
}
