import {
  type Answer,
  type DeviceMemory,
  type DeviceRequest,
  type UploadDevice,
  waitFor,
} from '#client/storage/device.ts';
import { limits } from '#contract/limits.ts';
import { forgottenSince, uploadPrefix } from './device-memory.ts';

/** What uploads run on in a browser: requests that tell how much of them has left, and a memory beyond the page. */
export const uploadDevice: UploadDevice = { send, memory: openMemory(), wait: waitForNetwork };

/** `fetch` cannot tell how much of a body has left; XMLHttpRequest can. */
function send({ method, url, headers, body, signal, onProgress }: DeviceRequest) {
  return new Promise<Answer>((resolve, reject) => {
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);

    // A line that is dead without saying so: nothing has left and nothing has come.
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
      if (request.status === 0) reject(signal.aborted ? signal.reason : new Error('No answer came.'));
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

/** `localStorage`, or nothing beyond this page where a browser refuses it. */
function openMemory(): DeviceMemory {
  try {
    const storage = window.localStorage;
    return {
      get: (name) => storage.getItem(uploadPrefix + name) ?? undefined,
      set(name, value, since) {
        // It may be full: the upload then does without.
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
