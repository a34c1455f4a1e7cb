import { createHash, type Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type FileKind, storageMessages } from '#contract/storage.ts';
import { AppError } from '#server/http/errors.ts';
import { getFile, isFile, type StoredFile } from '../files/files.ts';
import { versionKeys } from '../files/pictures.ts';
import { type StoredUpload, UploadLost, type UploadWriter } from '../store/file-store.ts';
import { requireType } from './content-types.ts';
import { finishUpload } from './finish.ts';
import { type Lease, leaseUpload } from './lease.ts';
import { createUpload, discardUpload, type NewUpload, type Upload, type UploadContext } from './uploads.ts';

/** Bytes between two commits: the most that a client must send again after the server was killed. */
const commitBytes = 16 * 1024 * 1024;
/** After this many bytes of a file, the server checks its type for the first time. */
const earlyBytes = 4_100;
const rememberedHashes = 200;
const lingerMs = 1_000;

/**
 * SHA-256 states of unfinished uploads. If this process has no state of an upload, it must read the whole
 * content again at the end.
 */
const hashes = new Map<string, { hash: Hash; offset: number }>();

const storedUpload = ({ key, storeState, sizeBytes }: Upload): StoredUpload => ({
  key,
  state: storeState,
  sizeBytes,
});

/**
 * Receives the bytes of one request, from the upload's offset on. If the request breaks off, the received
 * bytes are kept.
 * @param kind the kind of file, as `requirePermission` returned it
 * @param sha256 the digest of the whole file; required for the request that completes the upload
 * @param closing aborted when the server shuts down
 * @returns the upload's new offset; the size of the file when the upload is complete
 * @throws AppError `request/too-large` for more bytes than announced; the errors of finishUpload;
 * `server/unavailable` when the request breaks off, or another request or the shutdown interrupts it
 */
export async function receive(
  context: UploadContext,
  lease: Lease,
  body: Readable,
  { kind, sha256, closing }: { kind: FileKind; sha256: string | null; closing: AbortSignal },
): Promise<number> {
  const { upload } = lease;
  const interrupted = AbortSignal.any([lease.signal, closing]);
  const writer = await openWriter(context, lease, interrupted);
  const hash = takeHash(lease);
  let whole = false;
  try {
    const { offset, ended } = await copy(body, writer, { lease, kind, hash, interrupted });
    if (offset === upload.sizeBytes) {
      whole = true;
      await writer.finish();
      await finishUpload(context, lease, { kind, sha256, hash });
      return offset;
    }
    await writer.commit();
    // Remembers the hash before another request can get the lease.
    if (hash) rememberHash(upload.id, { hash, offset });
    await lease.noteAndRelease({ offsetBytes: offset });
    await writer.noted();
    if (!ended) throw new AppError('server/unavailable');
    return offset;
  } catch (error) {
    if (whole && (await isFile(context.database, upload.key))) return upload.sizeBytes;
    if (isRefusal(error, whole)) await discardUpload(context, upload);
    else if (whole || error instanceof UploadLost) await restart(context, lease, error);
    throw error;
  } finally {
    if (!whole) await writer.close();
  }
}

/** True if the content can never become a file. After other errors, the client can send the content again. */
function isRefusal(error: unknown, whole: boolean): boolean {
  if (!(error instanceof AppError)) return false;
  return error.code === 'request/unsupported-type' || (whole && !error.code.startsWith('server/'));
}

async function openWriter(
  context: UploadContext,
  lease: Lease,
  interrupted: AbortSignal,
): Promise<UploadWriter> {
  const { upload } = lease;
  return context.fileStore
    .write(storedUpload(upload), upload.offsetBytes, interrupted)
    .catch((error: unknown) =>
      error instanceof UploadLost ? restart(context, lease, error) : Promise.reject(error),
    );
}

/**
 * Restarts an upload from offset 0, because its stored bytes cannot be used.
 * @throws AppError `storage/offset-conflict` when the store has lost the bytes; otherwise `reason`
 */
async function restart(
  { fileStore }: UploadContext,
  { upload, note }: Lease,
  reason: unknown,
): Promise<never> {
  const { key, storeState, sizeBytes, path } = upload;
  await fileStore.remove([key, ...versionKeys(key)], storeState);
  const begun = await fileStore.begin(key, sizeBytes);
  await note({ offsetBytes: 0, storeState: begun }).catch(async (error: unknown) => {
    await fileStore.remove([key], begun);
    throw error;
  });
  if (!(reason instanceof UploadLost)) throw reason;
  throw new AppError('storage/offset-conflict', {
    message: storageMessages.offsetConflict(path, 0),
    cause: reason,
  });
}

/** Writes the body until it ends, its connection is lost or `interrupted` aborts. Commits at intervals. */
async function copy(
  body: Readable,
  writer: UploadWriter,
  {
    lease,
    kind,
    hash,
    interrupted,
  }: { lease: Lease; kind: FileKind; hash: Hash | undefined; interrupted: AbortSignal },
): Promise<{ offset: number; ended: boolean }> {
  const { path, sizeBytes, offsetBytes, declaredType } = lease.upload;
  let offset = offsetBytes;
  let noted = offsetBytes;
  let start: Buffer | undefined = offset === 0 ? Buffer.alloc(0) : undefined;
  // After an interruption, this ends a request that sends no bytes. Other requests would wait for it.
  const linger = () => setTimeout(() => body.destroy(), lingerMs).unref();
  interrupted.addEventListener('abort', linger, { once: true });
  const chunks: AsyncIterator<Buffer> = body.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      if (interrupted.aborted) return { offset, ended: false };
      const next = await chunks.next().catch(() => undefined); // undefined if the connection was lost
      if (next === undefined) return { offset, ended: false };
      if (next.done) return { offset, ended: true };
      const chunk = next.value;
      if (offset + chunk.length > sizeBytes)
        throw new AppError('request/too-large', { message: storageMessages.tooLarge(path, sizeBytes) });
      if (start) {
        start = Buffer.concat([start, chunk]);
        if (start.length >= Math.min(earlyBytes, sizeBytes)) {
          await requireType(start, { path, kind, declared: declaredType });
          start = undefined;
        }
      }
      hash?.update(chunk);
      await writer.write(chunk);
      offset += chunk.length;
      if (offset - noted >= commitBytes && offset < sizeBytes) {
        await writer.commit();
        await lease.note({ offsetBytes: offset });
        await writer.noted();
        noted = offset;
      }
    }
  } finally {
    interrupted.removeEventListener('abort', linger);
    // Reads the rest of a refused body, because many clients read the response only after the whole body is
    // sent.
    await chunks.return?.();
    body.resume();
  }
}

/**
 * Returns the hash of the bytes before the offset, if this process remembers it. The process then forgets the
 * hash, because the caller adds more bytes to it.
 */
function takeHash({ upload: { id, offsetBytes }, previousExpired }: Lease): Hash | undefined {
  const known = hashes.get(id);
  hashes.delete(id);
  if (offsetBytes === 0) return createHash('sha256');
  return known?.offset === offsetBytes && !previousExpired ? known.hash : undefined;
}

function rememberHash(id: string, known: { hash: Hash; offset: number }) {
  if (hashes.size >= rememberedHashes) hashes.delete(hashes.keys().next().value ?? '');
  hashes.set(id, known);
}

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
