import assert from 'node:assert/strict';
import { ClientError } from '#client/client-error.ts';
import type { TestUser } from './server.ts';
import { digestHeader, mp3, sha256Of, storageOf } from './storage.ts';

const partBytes = 262_144;

/** Resumable uploads by one user, and which of them the server acknowledged. */
export type RecordedUploads = {
  /** The number of acknowledged files. */
  readonly count: number;
  /** Begins an upload, unless an interrupted upload must be finished first. */
  begin(): Promise<void>;
  /** Continues the interrupted upload, if any, and then uploads more files until the connection is lost. */
  upload(): Promise<void>;
  /** Continues the interrupted upload until it is complete. */
  finish(): Promise<void>;
  /** @throws AssertionError if an acknowledged file is missing or has other bytes */
  assertKept(): Promise<void>;
};

type Upload = {
  path: string;
  content: Uint8Array<ArrayBuffer>;
  url: string;
  headers: Record<string, string>;
};

/**
 * Prepares uploads by a user.
 * @param name distinguishes the files of several users
 * @param options `mayBeginAgain` is true if the server can lose stored parts. After a loss, it responds with
 * 409, and the upload begins again
 */
export function recordUploads(
  user: TestUser,
  name: string,
  fileBytes: number,
  { mayBeginAgain = false } = {},
): RecordedUploads {
  const storage = storageOf(user);
  /** The SHA-256 of each acknowledged file. */
  const acknowledged = new Map<string, string>();
  let interrupted: Upload | undefined;
  let started = 0;

  async function begin(): Promise<Upload> {
    started += 1;
    const path = `postAudios/mind/${name}-${started}`;
    const content = mp3(fileBytes + started, started);
    const { response, url, headers } = await storage.start(path, content.length);
    assert.equal(response.status, 201);
    return { path, content, url, headers };
  }

  async function resume(upload: Upload, fromServer: boolean) {
    const { path, content, url, headers } = upload;
    let offset = fromServer ? await offsetOf(upload) : 0;
    // The upload may be gone if the server was killed after it got the last part. The file is then stored.
    while (offset !== undefined && offset < content.length) {
      const part = content.subarray(offset, offset + partBytes);
      const isLast = offset + part.length === content.length;
      const response = await storage.patch({ url, headers }, offset, part, {
        headers: isLast ? digestHeader(content) : {},
      });
      if (mayBeginAgain && fromServer && response.status === 409) {
        offset = await offsetOf(upload);
        assert.equal(offset, 0);
        continue;
      }
      assert.equal(response.status, 204);
      offset += part.length;
    }
    acknowledged.set(path, sha256Of(content));
  }

  /** Returns `undefined` for an upload that the server has finished. */
  async function offsetOf({ url, headers }: Upload): Promise<number | undefined> {
    const response = await user.fetch(url, { method: 'HEAD', headers });
    if (response.status === 404) return undefined;
    assert.equal(response.status, 200);
    return Number(response.headers.get('upload-offset'));
  }

  async function finish() {
    if (interrupted) await resume(interrupted, true);
    interrupted = undefined;
  }

  return {
    get count() {
      return acknowledged.size;
    },
    finish,
    async begin() {
      interrupted ??= await begin();
    },
    async upload() {
      try {
        await finish();
        for (;;) {
          interrupted = await begin();
          await resume(interrupted, false);
          interrupted = undefined;
        }
      } catch (error) {
        if (!isLostConnection(error)) throw error;
      }
    },
    async assertKept() {
      for (const [path, digest] of acknowledged) {
        const file = await user.fetch(await storage.url(path));
        assert.equal(file.status, 200, path);
        assert.equal(sha256Of(new Uint8Array(await file.arrayBuffer())), digest, path);
      }
    },
  };
}

/** fetch throws a TypeError when the connection is lost. The client library converts it to its own error. */
function isLostConnection(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof ClientError && error.code === 'client/offline');
}
