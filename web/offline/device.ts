import { chooseDevice, chosenUid, eraseDevice } from '#web/app/device-memory.ts';
import {
  audioCache,
  documentPath,
  isClean,
  pageCache,
  publicPageKey,
  type Refreshed,
  type WorkerRequest,
} from './kept.ts';
import { openDevice } from './store.ts';

/** Saved audio, and the practice that it belongs to. */
export type SavedAudio = { src: string; title: string; path: string; sizeBytes: number };
/** A practice that this device keeps. */
export type KeptPractice = { path: string; title: string };

/** True if this browser has what use without network needs. */
export const canUseOffline = () =>
  'serviceWorker' in navigator && 'caches' in window && 'indexedDB' in window && 'locks' in navigator;

/**
 * Chooses this device for use without network, and keeps what the night needs. If it fails, the device keeps
 * nothing.
 * @throws when the storage is full, there is no network, or the clinic has switched the worker off
 */
export async function prepareDevice(uid: string): Promise<void> {
  try {
    await openDevice(uid);
    chooseDevice(uid);
    const { ready } = await refreshKept();
    if (!ready) throw new Error('Pages cannot start without network.');
    // Firefox asks the user, who may never answer.
    navigator.storage?.persist?.().catch(() => undefined);
  } catch (error) {
    await eraseDevice();
    throw error;
  }
}

/**
 * Registers the worker on a chosen device, and resolves when it is active.
 * @throws when its installation has failed, or the device was erased meanwhile, for example by /logout
 */
async function registerWorker(): Promise<void> {
  // Without this cache, the worker stores nothing. The browser can have removed it.
  await openCache(audioCache);
  const registration = await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' });
  if (chosenUid() === undefined) await eraseDevice();
  requireChosen();
  const worker = registration.active ?? registration.waiting ?? registration.installing;
  await new Promise<void>((resolve, reject) => {
    const follow = () => {
      if (worker?.state === 'activated') resolve();
      if (worker?.state === 'redundant') reject(new Error('The worker could not be installed.'));
    };
    worker?.addEventListener('statechange', follow);
    follow();
  });
  // The clinic has switched the worker off, so this one has removed itself.
  if (!(await navigator.serviceWorker.getRegistration())) throw new Error('There is no worker any more.');
}

/** Registers the worker, and lets it fetch what pages need to start, and the path for the night. */
export async function refreshKept(): Promise<Refreshed> {
  await registerWorker();
  return askWorker({ type: 'refresh' });
}

function requireChosen() {
  if (chosenUid() === undefined) throw new Error('No user has chosen this device.');
}

/** Opens a cache of a chosen device. Opening creates a cache, also one that was erased meanwhile. */
async function openCache(name: string): Promise<Cache> {
  requireChosen();
  const cache = await caches.open(name);
  if (chosenUid() === undefined) await caches.delete(name);
  requireChosen();
  return cache;
}

/** Asks the active worker, and resolves with its answer. */
async function askWorker(request: WorkerRequest): Promise<Refreshed> {
  const { active } = await navigator.serviceWorker.ready;
  const { port1, port2 } = new MessageChannel();
  const answered = new Promise<Refreshed>((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<Refreshed>) => resolve(data);
  });
  active?.postMessage(request, [port2]);
  return answered;
}

/** True if a worker answers this page, and keeps the HTML of the page at this location. */
export async function isKept(location: Pick<Location, 'pathname' | 'search'>): Promise<boolean> {
  const key = publicPageKey(location);
  if (key === undefined || !navigator.serviceWorker.controller) return false;
  return (await caches.match(key, { ignoreVary: true })) !== undefined;
}

/** Finds out whether pages start without network, and whether the practices for the night are kept. */
export async function findReadiness(): Promise<{ isReady: boolean; hasNight: boolean }> {
  const [document, night] = await Promise.all(
    [documentPath, '/practices'].map((key) => caches.match(key, { ignoreVary: true })),
  );
  return { isReady: document !== undefined, hasNight: night !== undefined };
}

/** Lists the practices that this device keeps, the newest first. */
export async function listKeptPractices(): Promise<KeptPractice[]> {
  const names = (await caches.keys()).filter((name) => name.startsWith(pageCache));
  const responses = await Promise.all(
    names.map(async (name) => {
      const cache = await openCache(name);
      const keys = (await cache.keys()).filter(({ url }) => /\/practices\/[^/]+$/.test(url));
      return Promise.all(keys.map(async (key) => ({ key, response: await cache.match(key) })));
    }),
  );
  const found = await Promise.all(
    responses.flat().map(async ({ key, response }) => {
      const html = (await response?.text()) ?? '';
      const title = new DOMParser().parseFromString(html, 'text/html').querySelector('h1')?.textContent ?? '';
      return { path: new URL(key.url).pathname, title };
    }),
  );
  return found.filter(({ title }) => title !== '').reverse();
}

const [titleHeader, pathHeader] = ['acolhe-title', 'acolhe-path'];

/** Lists the saved audio, the newest first. */
export async function listAudio(): Promise<SavedAudio[]> {
  const cache = await openCache(audioCache);
  const saved = await Promise.all(
    (await cache.keys()).map(async (key) => {
      const headers = (await cache.match(key))?.headers;
      const { pathname, search } = new URL(key.url);
      return {
        src: pathname + search,
        title: decodeURIComponent(headers?.get(titleHeader) ?? ''),
        path: headers?.get(pathHeader) ?? '/practices',
        sizeBytes: Number(headers?.get('content-length')),
      };
    }),
  );
  return saved.reverse();
}

export async function removeAudio(src: string): Promise<void> {
  await (await openCache(audioCache)).delete(src, { ignoreVary: true });
}

/** Returns the size of an audio file on the server. @throws without network */
export async function audioSize(src: string): Promise<number> {
  const response = await fetch(src, { method: 'HEAD' });
  if (!isClean(response, /^audio\//)) throw new Error(`The server answered with ${response.status}.`);
  return Number(response.headers.get('content-length'));
}

/**
 * Saves an audio file whole, with its size and its practice.
 * @param onPart receives how much has arrived, from 0 to 1
 * @throws DOMException `QuotaExceededError` when the storage is full; other errors when the file is not whole
 */
export async function saveAudio(
  { src, title, path }: Omit<SavedAudio, 'sizeBytes'>,
  onPart: (part: number) => void,
): Promise<void> {
  const response = await fetch(src);
  const sizeBytes = Number(response.headers.get('content-length'));
  if (!isClean(response, /^audio\//) || !response.body || !sizeBytes)
    throw new Error(`The server answered with ${response.status}.`);
  let arrived = 0;
  // An error of the stream ends the storing, and nothing is stored. The file never is in memory as a whole.
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(part, to) {
        arrived += part.length;
        onPart(arrived / sizeBytes);
        to.enqueue(part);
      },
      flush(to) {
        if (arrived !== sizeBytes) to.error(new Error(`${arrived} of ${sizeBytes} bytes arrived.`));
      },
    }),
  );
  const headers = {
    'content-type': response.headers.get('content-type') ?? '',
    'content-length': String(sizeBytes),
    'accept-ranges': 'bytes',
    [titleHeader]: encodeURIComponent(title),
    [pathHeader]: path,
  };
  await (await openCache(audioCache)).put(src, new Response(counted, { headers }));
}
