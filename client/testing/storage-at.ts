import { appCheckHeader } from '#contract/app-check.ts';
import { createSend } from '../http.ts';
import { createPlainDevice } from '../storage/device.ts';
import { createStorageClient, type StorageClientOptions } from '../storage/storage.ts';
import { StorageError } from '../storage/storage-error.ts';
import type { ScriptedServer } from './scripted-server.ts';

/** Creates a storage client of a scripted server. The client sends numbered app-check tokens. */
export function storageAt({ url }: ScriptedServer, options: Partial<StorageClientOptions> = {}) {
  let tokens = 0;
  return createStorageClient({
    baseUrl: url,
    device: createPlainDevice(fetch),
    sendAuth: createSend(url, fetch),
    async appCheck() {
      tokens += 1;
      return { [appCheckHeader]: `check-${tokens}` };
    },
    ...options,
  });
}

/** Creates bytes without repetition, so that a test detects a part that is sent twice or left out. */
export function fileOf(bytes: number): Blob {
  const content = new Uint32Array(Math.ceil(bytes / 4)).map((_, place) => place * 2_654_435_761);
  return new Blob([new Uint8Array(content.buffer, 0, bytes)], { type: 'audio/mpeg' });
}

export const bytesOf = async (file: Blob) => Buffer.from(await file.arrayBuffer());

/** Creates a device that never waits. It records the delays that callers request. */
export function patientDevice() {
  const waits: number[] = [];
  const wait = async (ms: number) => void waits.push(ms);
  return { waits, device: { ...createPlainDevice(fetch), wait } };
}

/** Returns the code of the StorageError that a promise rejects with. */
export const errorCodeOf = async (promise: PromiseLike<unknown>) =>
  Promise.resolve(promise).then(
    () => 'no error',
    (error: unknown) => (error instanceof StorageError ? error.code : String(error)),
  );
