import type { Environment } from '#server/environment.ts';
import { openDiskStore } from './disk.ts';
import type { FileStore } from './file-store.ts';

/**
 * Opens the S3 store if S3 is configured, else a store in the data folder, which must exist. With
 * `isReadOnly`, it creates no folders there.
 */
export async function openFileStore(
  { s3, dataDir }: Pick<Environment, 's3' | 'dataDir'>,
  options?: { isReadOnly: boolean },
): Promise<FileStore> {
  return s3 ? (await import('./s3.ts')).openS3Store(s3) : openDiskStore(dataDir, options);
}
