import { paths } from '#contract/paths.ts';
import type { FileMetadata, UploadMetadata } from '#contract/storage.ts';
import type { createFileDigest } from './file-digest.ts';
import { readMetadata } from './read-response.ts';
import type { Ask } from './requests.ts';
import { type Retries, withRetries } from './retries.ts';
import { StorageError } from './storage-error.ts';

export type SmallUpload = {
  path: string;
  file: Blob;
  contentType: string;
  digest: ReturnType<typeof createFileDigest>;
  ask: Ask;
  retries: Retries;
};

/** Creates an upload in one multipart request. The progress stays at zero until the response arrives. */
export function createSmallUpload({ path, file, contentType, digest, ask, retries }: SmallUpload) {
  let attempts = 0;
  return {
    async run(signal: AbortSignal, onBytes: (bytes: number) => void): Promise<FileMetadata> {
      const metadata: UploadMetadata = { path, contentType, sha256: await digest.finish(signal) };
      const body = new FormData();
      body.append('metadata', JSON.stringify(metadata));
      body.append('file', file, 'file');
      const send = async () => {
        attempts += 1;
        return readMetadata(
          await ask({ method: 'POST', path, url: paths.storage.objects, body, signal }),
          path,
        );
      };
      const stored = await withRetries(retries, signal, () =>
        send().catch(async (refusal: unknown) => {
          // The server never replaces a file. So it also refuses this attempt if an earlier attempt stored
          // the file and the response was lost.
          const there = attempts > 1 && isRefused(refusal) && (await findStored(signal));
          if (there && there.sha256 === metadata.sha256) return there;
          throw refusal;
        }),
      );
      onBytes(file.size);
      return stored;
    },
    /** Deletes the file, because the server may have stored it before this client aborted the request. */
    async abandon(signal: AbortSignal) {
      if (attempts > 0) await ask({ method: 'DELETE', path, url: paths.storage.object(path), signal });
    },
  };

  async function findStored(signal: AbortSignal): Promise<FileMetadata | undefined> {
    const url = paths.storage.metadata(path);
    return ask({ method: 'GET', path, url, signal }).then(
      (response) => readMetadata(response, path),
      () => undefined,
    );
  }
}

const isRefused = (error: unknown) => error instanceof StorageError && error.code === 'unauthorized';
