import { createHash, type Hash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { type FileKind, storageMessages } from '#contract/storage.ts';
import { AppError } from '#server/http/errors.ts';
import { removeDiscarded } from '../files/discarded.ts';
import { addFile } from '../files/files.ts';
import { preparePicture, versionKey } from '../files/pictures.ts';
import type { FileStore } from '../store/file-store.ts';
import { requireType, sniffedBytes } from './content-types.ts';
import type { Lease } from './lease.ts';
import type { Upload, UploadContext } from './uploads.ts';

/**
 * Turns a completely stored upload into a file: checks the checksum and the content, makes the versions of a
 * picture, and adds the file. After that, the content never changes.
 * @param sha256 the client's digest of the whole file; if null, the digest in the row of the upload is used
 * @param hash the hash of the received bytes; without it, the content is read again to compute the hash
 * @throws AppError `storage/invalid-checksum`, `request/unsupported-type`, `storage/incomplete-file`,
 * `request/too-large` (pixels), `storage/unauthorized` when another upload has put a file at the path
 * meanwhile
 */
export async function finishUpload(
  context: UploadContext,
  { upload }: Lease,
  { kind, sha256, hash }: { kind: FileKind; sha256: string | null; hash: Hash | undefined },
): Promise<void> {
  const { fileStore } = context;
  const { key, path, declaredType, sizeBytes } = upload;
  const arrived = hash ? hash.digest('base64') : await hashOf(fileStore, key);
  if (arrived !== (sha256 ?? upload.sha256)) {
    throw new AppError('storage/invalid-checksum', { message: storageMessages.invalidChecksum(path) });
  }
  const end = Math.min(sniffedBytes, sizeBytes) - 1;
  const start = await buffer(await fileStore.read(key, { start: 0, end }));
  const contentType = await requireType(start, { path, kind, declared: declaredType });
  const picture = kind === 'audio' ? undefined : await storePicture(fileStore, upload, { kind, contentType });
  const versions = picture?.versions ?? {};
  await addFile(context, upload, {
    contentType,
    sha256: arrived,
    storedBytes: Object.values(versions).reduce((sum, bytes) => sum + bytes, sizeBytes),
    versions: JSON.stringify(versions),
    token: randomBytes(24).toString('base64url'),
    width: picture?.width ?? null,
    height: picture?.height ?? null,
  });
  // The file is stored. If the store is unreachable, the clean-up removes older pictures later.
  if (kind === 'profile-picture') await removeDiscarded(context).catch(() => {});
}

async function storePicture(
  fileStore: FileStore,
  { key, path, ownerId }: Upload,
  { kind, contentType }: { kind: FileKind; contentType: string },
) {
  const content = await buffer(await fileStore.read(key));
  const { width, height, versions } = await preparePicture({
    content,
    path,
    type: contentType,
    kind,
    ownerId,
  });
  for (const [version, content] of versions) await fileStore.put(versionKey(key, version), content);
  const sizes = Object.fromEntries([...versions].map(([version, { length }]) => [version, length]));
  return { width, height, versions: sizes };
}

async function hashOf(fileStore: FileStore, key: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of await fileStore.read(key)) hash.update(chunk as Buffer);
  return hash.digest('base64');
}
