import { createHash } from 'node:crypto';
import { paths } from '#contract/paths.ts';
import { tusContentType, tusVersion } from '#contract/storage.ts';
import type { TestUser } from './server.ts';

/** Functions that call the file service without the client library, with a bearer and an app-check token. */
export type StorageUse = ReturnType<typeof storageOf>;

export const sha256Of = (content: Uint8Array) => createHash('sha256').update(content).digest('base64');

export const digestHeader = (content: Uint8Array) => ({ 'repr-digest': `sha-256=:${sha256Of(content)}:` });

type Bytes = Uint8Array<ArrayBuffer>;

export function storageOf(user: TestUser) {
  /** Makes the headers of a call. An app-check token is valid for one call, or for all calls of an upload. */
  async function proofs(): Promise<Record<string, string>> {
    const { token } = (await (await user.fetch(paths.auth.storageBearer)).json()) as { token: string };
    return { authorization: `Bearer ${token}`, ...(await user.appCheck()) };
  }

  async function call(path: string, init: RequestInit = {}): Promise<Response> {
    return user.fetch(path, { ...init, headers: { ...(await proofs()), ...init.headers } });
  }

  /** Sends a file in one multipart request. */
  async function send(
    path: string,
    content: Bytes,
    metadata: Record<string, unknown> = {},
  ): Promise<Response> {
    const body = new FormData();
    body.set('metadata', JSON.stringify({ path, contentType: '', sha256: sha256Of(content), ...metadata }));
    body.set('file', new Blob([content]), 'arquivo');
    return call(paths.storage.objects, { method: 'POST', body });
  }

  /** Begins a resumable upload. @returns the response, the upload's URL, and headers for all its calls */
  async function start(path: string, sizeBytes: number, contentType = '') {
    const headers = { ...(await proofs()), 'tus-resumable': tusVersion };
    const response = await user.fetch(paths.storage.resumable, {
      method: 'POST',
      headers: {
        ...headers,
        'upload-length': String(sizeBytes),
        'upload-metadata': metadataHeader({ path, contentType }),
      },
    });
    return { response, url: response.headers.get('location') ?? '', headers };
  }

  /** Sends a part of an upload. */
  function patch(
    { url, headers }: { url: string; headers: Record<string, string> },
    offset: number,
    body: NonNullable<RequestInit['body']>,
    more: { headers?: Record<string, string>; signal?: AbortSignal; duplex?: 'half' } = {},
  ): Promise<Response> {
    return user.fetch(url, {
      method: 'PATCH',
      body,
      ...more,
      headers: {
        ...headers,
        'content-type': tusContentType,
        'upload-offset': String(offset),
        ...more.headers,
      },
    });
  }

  /** Sends a whole resumable upload in chunks. */
  async function upload(path: string, content: Bytes, chunkBytes = 262_144, contentType = '') {
    const begun = await start(path, content.length, contentType);
    if (!begun.response.ok) return begun.response;
    for (let offset = 0; ; offset += chunkBytes) {
      const chunk = content.subarray(offset, offset + chunkBytes);
      const isLast = offset + chunkBytes >= content.length;
      const response = await patch(begun, offset, chunk, { headers: isLast ? digestHeader(content) : {} });
      if (isLast || !response.ok) return response;
    }
  }

  async function url(path: string): Promise<string> {
    const response = await call(paths.storage.downloadUrl(path));
    if (!response.ok) throw new Error(`The download URL of ${path} responded with ${response.status}.`);
    return ((await response.json()) as { url: string }).url;
  }

  return {
    proofs,
    call,
    send,
    start,
    patch,
    upload,
    url,
    metadata: (path: string) => call(paths.storage.metadata(path)),
  };
}

export function metadataHeader(metadata: Record<string, string>): string {
  return Object.entries(metadata)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',');
}

/** Returns bytes that begin like an MP3; the rest depends only on the seed. */
export function mp3(bytes: number, seed = 1): Bytes {
  const content = Buffer.alloc(bytes);
  let state = seed;
  for (let index = 0; index < bytes; index += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    content.writeUInt32LE(state, Math.min(index, Math.max(0, bytes - 4)));
  }
  // A frame header of MPEG-1 layer III, 128 kbit/s, 44.1 kHz, at the start of each of the first three frames.
  for (const offset of [0, 417, 834]) if (offset + 4 <= bytes) content.writeUInt32BE(0xff_fb_90_00, offset);
  return Uint8Array.from(content);
}
