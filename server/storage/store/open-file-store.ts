import type { Environment } from '#server/environment.ts';
import { openDiskStore } from './disk.ts';
import type { FileStore } from './file-store.ts';

/** Opens the S3 store if S3 is configured, else a store in the data folder. */
export async function openFileStore({
  s3,
  dataDir,
}: Pick<Environment, 's3' | 'dataDir'>): Promise<FileStore> {
  return s3 ? (await import('./s3.ts')).openS3Store(s3) : openDiskStore(dataDir);
}
