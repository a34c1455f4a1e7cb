import { paths } from '#contract/paths.ts';
import { type FileMetadata, reprDigest, tusContentType, tusVersion } from '#contract/storage.ts';
import type { DeviceResponse } from './device.ts';
import { readMetadata } from './read-response.ts';
import type { Pass, StorageRequest } from './requests.ts';
import type { SmallUpload } from './small-upload.ts';
import { isNoResponse, StorageError } from './storage-error.ts';
import { folderOf, type UnfinishedUploads } from './unfinished-uploads.ts';

/** The time-out of requests that send no part of the file. Requests that send chunks have no time-out. */
const controlTimeoutMs = 60_000;
/** The size of the first chunk. The size doubles after each success. */
const firstChunkBytes = 262_144;
/** The chunk size doubles only if the doubled size is below this limit. */
const chunkCeilingBytes = 33_554_432;

export type ResumableUpload = SmallUpload & { pass: Pass; unfinished: UnfinishedUploads };

/**
 * Creates an upload in chunks with the protocol tus 1.0, https://tus.io/protocols/resumable-upload.
 * Every call of `run` first asks the server for the offset, and continues from that offset.
 */
export function createResumableUpload(upload: ResumableUpload) {
  const { path, file, digest, pass, retries, unfinished } = upload;
  const folder = folderOf(path);
  const createdAt = Date.now();
  const kept = unfinished.find(folder, file);
  /** The URL path that receives the bytes; undefined while there is no upload on the server. */
  let uploadUrl = kept?.path === path ? kept.url : undefined;
  /**
   * True if this upload continues an earlier one and has sent no chunk yet. If the server has deleted the
   * earlier one, a new upload starts.
   */
  let mayBeOver = uploadUrl !== undefined;
  let chunkBytes = firstChunkBytes;
  /** The last offset that the server refused. */
  let refusedOffset: number | undefined;

  const ask = (request: Omit<StorageRequest, 'path' | 'pass' | 'headers'> & { headers?: Headers }) =>
    upload.ask({ ...request, headers: { 'tus-resumable': tusVersion, ...request.headers }, path, pass });

  async function begin(signal: AbortSignal): Promise<number> {
    const metadata = Object.entries({ path, contentType: upload.contentType });
    const response = await ask({
      method: 'POST',
      url: paths.storage.resumable,
      headers: {
        'upload-length': String(file.size),
        'upload-metadata': metadata.map(([key, value]) => `${key} ${btoa(value)}`).join(','),
      },
      signal,
      timeoutMs: controlTimeoutMs,
    }).catch((error: unknown) => {
      // The failed request may have used the app-check token, so the next request needs a new one.
      pass.renew('app-check');
      throw error;
    });
    uploadUrl = urlIn(response, path);
    unfinished.keep(folder, file, { url: uploadUrl, path }, createdAt);
    return 0;
  }

  /**
   * Returns how many bytes of the file the server has; the file's size if it has the complete file. Starts an
   * upload if there is none on the server.
   */
  async function findOffset(signal: AbortSignal): Promise<number> {
    if (uploadUrl === undefined) return begin(signal);
    let response: DeviceResponse;
    try {
      response = await ask({ method: 'HEAD', url: uploadUrl, signal, timeoutMs: controlTimeoutMs });
    } catch (error) {
      if (!isGone(error)) throw error;
      // The upload is also gone if the file is complete and the response to the last chunk was lost.
      if (await isStored(signal)) return file.size;
      forget();
      if (!mayBeOver) throw new StorageError('object-not-found', path, { cause: error, status: 404 });
      return begin(signal);
    }
    const offset = offsetIn(response, path);
    if (offset > file.size) throw new StorageError('server-file-wrong-size', path);
    return offset;
  }

  function forget() {
    uploadUrl = undefined;
    unfinished.forget(folder, file);
  }

  /** Sends one chunk from `offset`. Returns how many bytes the server has after this chunk. */
  async function sendChunk(
    at: string,
    offset: number,
    signal: AbortSignal,
    onBytes: OnBytes,
  ): Promise<number> {
    const end = Math.min(offset + chunkBytes, file.size);
    const isLast = end === file.size;
    // Hash a chunk while the request sends it. Only the last request waits until all bytes are hashed,
    // because it contains the digest.
    const reading = isLast ? undefined : digest.readTo(end, signal);
    const sending = ask({
      method: 'PATCH',
      url: at,
      headers: {
        'content-type': tusContentType,
        'upload-offset': String(offset),
        ...(isLast && { 'repr-digest': reprDigest(await digest.finish(signal)) }),
      },
      body: file.slice(offset, end),
      signal,
      onProgress: (bytes) => onBytes(offset + Math.min(bytes, end - offset)),
    });
    const [response] = await Promise.all([sending, reading]);
    const next = offsetIn(response, path);
    if (next > file.size || next <= offset) throw new StorageError('internal-error', path);
    return next;
  }

  /** True if the server already has the complete file. */
  async function isStored(signal: AbortSignal): Promise<boolean> {
    try {
      const { sizeBytes, sha256 } = await getMetadata(signal);
      return sizeBytes === file.size && sha256 === (await digest.finish(signal));
    } catch (error) {
      if (isGone(error)) return false;
      throw error;
    }
  }

  async function getMetadata(signal: AbortSignal): Promise<FileMetadata> {
    const url = paths.storage.metadata(path);
    return readMetadata(await ask({ method: 'GET', url, signal, timeoutMs: controlTimeoutMs }), path);
  }

  /** Sends all remaining bytes. Throws the first failure without a retry. */
  async function sendAll(signal: AbortSignal, onBytes: OnBytes): Promise<FileMetadata> {
    let offset = await findOffset(signal);
    if (offset === refusedOffset) throw new StorageError('internal-error', path);
    onBytes(offset);
    while (uploadUrl !== undefined && offset < file.size) {
      offset = await sendAt(uploadUrl, offset, signal, onBytes);
      onBytes(offset);
    }
    return getMetadata(signal);
  }

  async function sendAt(at: string, offset: number, signal: AbortSignal, onBytes: OnBytes) {
    try {
      const next = await sendChunk(at, offset, signal, onBytes);
      retries.reset();
      refusedOffset = undefined;
      mayBeOver = false;
      if (chunkBytes * 2 < chunkCeilingBytes) chunkBytes *= 2;
      return next;
    } catch (error) {
      if (isOffsetConflict(error)) refusedOffset = offset;
      throw error;
    }
  }

  return {
    async run(signal: AbortSignal, onBytes: OnBytes): Promise<FileMetadata> {
      for (;;) {
        try {
          const stored = await sendAll(signal, onBytes);
          await compare(stored, signal);
          forget();
          return stored;
        } catch (error) {
          // Keep the chunk size after a lost connection; reset it after an abort or a refusal.
          if (!isNoResponse(error)) chunkBytes = firstChunkBytes;
          signal.throwIfAborted();
          // Continue with the next iteration, which asks the server for its offset.
          if (isOffsetConflict(error)) continue;
          await retries.after(error, signal).catch((final: unknown) => {
            // Do not wait for this request, because the server also deletes abandoned uploads by itself.
            if (isTheEnd(final)) abandon(AbortSignal.timeout(controlTimeoutMs)).catch(() => {});
            throw final;
          });
        }
      }
    },
    abandon,
  };

  /** Forgets the upload on this device. Deletes the upload on the server, or the file if it is complete. */
  async function abandon(signal: AbortSignal): Promise<void> {
    const abandoned = uploadUrl;
    forget();
    if (abandoned === undefined) return;
    try {
      await ask({ method: 'DELETE', url: abandoned, signal });
    } catch (error) {
      // An offset conflict means here that the server already has the complete file, so delete that file.
      if (!isOffsetConflict(error)) throw error;
      await ask({ method: 'DELETE', url: paths.storage.object(path), signal });
    }
  }

  async function compare(stored: FileMetadata, signal: AbortSignal) {
    if (stored.sizeBytes !== file.size) throw new StorageError('server-file-wrong-size', path);
    if (stored.sha256 !== (await digest.finish(signal))) throw new StorageError('invalid-checksum', path);
  }
}

type OnBytes = (bytes: number) => void;
type Headers = Record<string, string>;

const isGone = (error: unknown): error is StorageError =>
  error instanceof StorageError && (error.status === 404 || error.status === 410);

const isOffsetConflict = (error: unknown) =>
  error instanceof StorageError && error.serverCode === 'storage/offset-conflict';

/** After these errors, the upload can continue once the session, the network or the quota has changed. */
const passing = ['unauthenticated', 'unauthorized-app', 'retry-limit-exceeded', 'quota-exceeded'];
const isTheEnd = (error: unknown) => error instanceof StorageError && !passing.includes(error.code);

/** Reads the Location header, but ignores its origin: only the file service may receive the bearer token. */
function urlIn(response: DeviceResponse, path: string): string {
  const location = /^(?:https?:\/\/[^/]+)?(\/.+)$/.exec(response.header('location') ?? '')?.[1];
  if (location?.startsWith(`${paths.storage.resumable}/`)) return location;
  throw new StorageError('invalid-url', path);
}

function offsetIn(response: DeviceResponse, path: string): number {
  const offset = Number(response.header('upload-offset') ?? Number.NaN);
  if (Number.isSafeInteger(offset) && offset >= 0) return offset;
  throw new StorageError('internal-error', path);
}
