import { limits } from '#contract/limits.ts';
import { paths } from '#contract/paths.ts';
import { type FileMetadata, kindOfFile, type SizeLimits, storageBearer } from '#contract/storage.ts';
import type { AppCheckHeaders } from '../app-check.ts';
import type { Send } from '../http.ts';
import type { DeviceResponse, UploadDevice } from './device.ts';
import { createFileDigest } from './file-digest.ts';
import { readDownloadUrl, readMetadata } from './read-response.ts';
import { createAsk, type StorageRequest } from './requests.ts';
import { createResumableUpload } from './resumable-upload.ts';
import { createRetries, withRetries } from './retries.ts';
import { createSmallUpload } from './small-upload.ts';
import { errorOfSignIn, StorageError } from './storage-error.ts';
import { createUnfinishedUploads } from './unfinished-uploads.ts';
import { startUpload, type UploadTask } from './upload-task.ts';

const maxOperationRetryMs = 120_000;
const maxUploadRetryMs = 600_000;

export type StorageClient = ReturnType<typeof createStorageClient>;

export type StorageClientOptions = {
  /** The origin of the file service; empty for the page's own origin. */
  baseUrl: string;
  device: UploadDevice;
  /** Sends requests to the sign-in service, which issues bearer tokens. */
  sendAuth: Send;
  appCheck: AppCheckHeaders;
  /** How long to retry a short request, in milliseconds. The default comes from the specification. */
  operationRetryMs?: number;
  /** How long to retry an upload, in milliseconds. The default comes from the specification. */
  uploadRetryMs?: number;
};

/** Creates the client of the file service. Its calls throw StorageError, or the signal's reason on abort. */
export function createStorageClient({
  baseUrl,
  device,
  sendAuth,
  appCheck,
  operationRetryMs = maxOperationRetryMs,
  uploadRetryMs = maxUploadRetryMs,
}: StorageClientOptions) {
  const { ask, createPass } = createAsk(baseUrl, device, sendAuth, appCheck);
  const unfinished = createUnfinishedUploads(device.memory);

  /** Sends one short request, with retries. */
  async function operate(
    method: StorageRequest['method'],
    path: string,
    url: string,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<DeviceResponse> {
    requirePath(path);
    const retries = createRetries({ limitMs: operationRetryMs, wait: device.wait });
    return withRetries(retries, signal, () =>
      ask({ method, path, url, signal, timeoutMs: operationRetryMs }),
    );
  }

  function createWork(
    path: string,
    file: Blob,
    contentType: string,
    onDelay?: (error: StorageError) => void,
  ) {
    const retries = createRetries({ limitMs: uploadRetryMs, wait: device.wait, onDelay });
    const parts = { path, file, contentType, ask, retries, digest: createFileDigest(file, path) };
    return file.size <= limits.resumableThresholdBytes
      ? createSmallUpload(parts)
      : createResumableUpload({ ...parts, pass: createPass(), unfinished });
  }

  return {
    /**
     * Starts an upload. An unfinished upload of the same file and path continues where it stopped.
     * @throws StorageError, synchronously: `invalid-argument`, `invalid-root-operation` or
     * `unsupported-environment`
     */
    upload(path: string, file: Blob, { contentType = file.type }: { contentType?: string } = {}): UploadTask {
      requirePath(path);
      if (!('timeout' in AbortSignal)) throw new StorageError('unsupported-environment', path);
      if (!(file instanceof Blob)) throw new StorageError('invalid-argument', path);
      return startUpload(path, file.size, (onDelay) => createWork(path, file, contentType, onDelay));
    },

    /** Removes the remains of a failed or interrupted upload from the device and from the server. */
    async discard(path: string, file: Blob): Promise<void> {
      await createWork(path, file, file.type).abandon(AbortSignal.timeout(operationRetryMs));
    },

    /**
     * Returns a path in `folder`: the path of an unfinished upload of the same file, or a new random path.
     */
    choosePath(folder: string, file: Blob): string {
      return unfinished.find(folder, file)?.path ?? `${folder}/${crypto.randomUUID()}`;
    },

    /** Reads the maximum file sizes that the server is configured with. */
    async getSizeLimits(): Promise<SizeLimits> {
      try {
        return storageBearer.parse(await (await sendAuth(paths.auth.storageBearer)).json()).sizeLimits;
      } catch (error) {
        throw errorOfSignIn(error, '');
      }
    },

    async getMetadata(path: string, signal?: AbortSignal): Promise<FileMetadata> {
      return readMetadata(await operate('GET', path, paths.storage.metadata(path), signal), path);
    },

    /** Reads the file's download URL, without an origin. The URL grants read access without a session. */
    async getDownloadUrl(path: string, signal?: AbortSignal): Promise<string> {
      return readDownloadUrl(await operate('GET', path, paths.storage.downloadUrl(path), signal), path);
    },

    async delete(path: string): Promise<void> {
      await operate('DELETE', path, paths.storage.object(path));
    },
  };
}

function requirePath(path: string) {
  if (/^\/*$/.test(path)) throw new StorageError('invalid-root-operation', path);
  if (kindOfFile(path) === undefined) throw new StorageError('invalid-argument', path);
}
