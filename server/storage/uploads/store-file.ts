import type { Readable } from 'node:stream';
import { AppError } from '#server/http/errors.ts';
import { getFile, type StoredFile } from '../files/files.ts';
import { leaseUpload } from './lease.ts';
import { receive } from './receive.ts';
import { createUpload, discardUpload, type NewUpload, type UploadContext } from './uploads.ts';

/**
 * Stores a whole file whose digest is known. After an error, nothing of the file is left.
 * @param closing aborted when the process shuts down
 * @throws AppError like `createUpload` and `receive`
 */
export async function storeFile(
  context: UploadContext,
  given: NewUpload & { sha256: string },
  { content, closing }: { content: Readable; closing: AbortSignal },
): Promise<StoredFile> {
  const { kind, sha256, path } = given;
  const upload = await createUpload(context, given);
  const lease = await leaseUpload(context.database, upload.id);
  if (!lease) throw new AppError('server/unavailable');
  try {
    await receive(context, lease, content, { kind, sha256, closing });
  } catch (error) {
    await discardUpload(context, upload);
    throw error;
  } finally {
    await lease.release();
  }
  return getFile(context.database, path);
}
