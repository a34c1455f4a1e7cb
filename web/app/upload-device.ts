import {
  type DeviceMemory,
  type DeviceRequest,
  type DeviceResponse,
  type UploadDevice,
  waitFor,
} from '#client/storage/device.ts';
import { forgottenSince, uploadPrefix } from './device-memory.ts';

/** A request is aborted after this time without upload progress. */
const silenceTimeoutMs = 120_000;

/** Implements `UploadDevice` for browsers. Requests report progress, and the memory outlives the page. */
export const uploadDevice: UploadDevice = { send, memory: openMemory(), wait: waitForNetwork };

/** Uses XMLHttpRequest, because `fetch` does not report the progress of a request's body. */
function send({ method, url, headers, body, signal, onProgress }: DeviceRequest) {
  return new Promise<DeviceResponse>((resolve, reject) => {
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);

    let silence = 0;
    const watch = () => {
      clearTimeout(silence);
      silence = window.setTimeout(() => request.abort(), silenceTimeoutMs);
    };
    watch();
    request.upload.addEventListener('progress', ({ loaded }) => {
      watch();
      onProgress?.(loaded);
    });
    const stop = () => request.abort();
    signal.addEventListener('abort', stop);
    request.addEventListener('loadend', () => {
      clearTimeout(silence);
      signal.removeEventListener('abort', stop);
      if (request.status === 0)
        reject(signal.aborted ? signal.reason : new Error('The server sent no response.'));
      else
        resolve({
          status: request.status,
          header: (name) => request.getResponseHeader(name) ?? undefined,
          text: request.responseText,
        });
    });
    request.send(body);
  });
}

/** Uses `localStorage`. If the browser blocks it, the memory lasts as long as the page. */
function openMemory(): DeviceMemory {
  try {
    const storage = window.localStorage;
    return {
      get: (name) => storage.getItem(uploadPrefix + name) ?? undefined,
      set(name, value, since) {
        // The storage can be full. The upload then works without the stored value.
        try {
          if (!forgottenSince(since)) storage.setItem(uploadPrefix + name, value);
        } catch {}
      },
      delete: (name) => storage.removeItem(uploadPrefix + name),
    };
  } catch {
    return new Map();
  }
}

/** Resolves after `ms`, or as soon as the browser is online again. */
async function waitForNetwork(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const wait = new AbortController();
  const stopWaiting = () => wait.abort();
  window.addEventListener('online', stopWaiting);
  signal.addEventListener('abort', stopWaiting);
  try {
    await waitFor(ms, wait.signal);
  } catch {
    signal.throwIfAborted();
  } finally {
    window.removeEventListener('online', stopWaiting);
    signal.removeEventListener('abort', stopWaiting);
  }
}
