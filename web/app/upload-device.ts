import {
  type Answer,
  type DeviceMemory,
  type DeviceRequest,
  type UploadDevice,
  waitFor,
} from '#client/storage/device.ts';
import { limits } from '#contract/limits.ts';
import { forgottenSince, uploadPrefix } from './device-memory.ts';

/** The device for uploads in a browser: requests with progress, and a memory that outlives the page. */
export const uploadDevice: UploadDevice = { send, memory: openMemory(), wait: waitForNetwork };

/** Uses XMLHttpRequest, because `fetch` does not report the progress of a request's body. */
function send({ method, url, headers, body, signal, onProgress }: DeviceRequest) {
  return new Promise<Answer>((resolve, reject) => {
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);

    // Detects a dead connection: no bytes are sent and none arrive.
    let silence = 0;
    const watch = () => {
      clearTimeout(silence);
      silence = window.setTimeout(() => request.abort(), limits.maxOperationRetryMs);
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
        reject(signal.aborted ? signal.reason : new Error('The server sent no answer.'));
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

/** Uses `localStorage`; where the browser refuses it, the memory lasts as long as the page. */
function openMemory(): DeviceMemory {
  try {
    const storage = window.localStorage;
    return {
      get: (name) => storage.getItem(uploadPrefix + name) ?? undefined,
      set(name, value, since) {
        // The storage may be full. The upload then works without it.
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
  const back = new AbortController();
  const goOn = () => back.abort();
  window.addEventListener('online', goOn);
  try {
    await waitFor(ms, AbortSignal.any([signal, back.signal]));
  } catch {
    signal.throwIfAborted();
  } finally {
    window.removeEventListener('online', goOn);
  }
}
