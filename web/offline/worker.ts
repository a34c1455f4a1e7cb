/*
 * The service worker. It answers the pages and files of this site that `kept.ts` names, and nothing else: no
 * call of the API, no page of the admin area, no preview. The build makes one file of it, `/sw.js`. Only a
 * device whose user has chosen to use the site without network registers it.
 */
import { PrecacheController, PrecacheRoute } from 'workbox-precaching';
import { createPartialResponse } from 'workbox-range-requests';
import { registerRoute } from 'workbox-routing';
import { NetworkFirst, type NetworkFirstOptions, StaleWhileRevalidate } from 'workbox-strategies';
import {
  audioCache,
  documentPath,
  isClean,
  isOwnDocument,
  isPrivatePage,
  isPublicAudio,
  isPublicPicture,
  nightPathsIn,
  pageCache,
  pictureCache,
  picturesIn,
  publicPageKey,
  type Refreshed,
  type WorkerRequest,
} from './kept.ts';

declare const self: ServiceWorkerGlobalScope;
/** The build inserts the files that pages need without network, and a hash of their list. */
declare const build: { id: string; files: { url: string; integrity: string }[] };
const { id: buildId, files: precachedFiles } = build;

type Plugin = NonNullable<NetworkFirstOptions['plugins']>[number];

const fileCache = 'acolhe-files';
const pagesOfBuild = `${pageCache}-${buildId}`;
/** How long a page waits for the network, if there is a kept one. */
const networkSeconds = 3;
const [mostPages, mostPictures] = [120, 240];
const knownFiles = new Set(precachedFiles.map(({ url }) => url));

/** False before the opt-in and after everything was erased. This worker can outlive both. */
const isChosen = () => caches.has(audioCache);

/**
 * Stores only on a chosen device. Erasing can come between the question and the storing, and the storing
 * would then create the cache anew, so this asks again.
 */
const onChosenDevice = (isGood: (response: Response) => Promise<boolean> | boolean): Plugin => ({
  cacheWillUpdate: async ({ response }) => ((await isChosen()) && (await isGood(response)) ? response : null),
  cacheDidUpdate: async ({ cacheName }) => {
    if (!(await isChosen())) await caches.delete(cacheName);
  },
});

/** Ignores what a cache contains if it is not good: half a file, or the answer of a gateway. */
const onlyGood = (isGood: (response: Response) => Promise<boolean> | boolean): Plugin => ({
  cachedResponseWillBeUsed: async ({ cachedResponse }) =>
    cachedResponse && (await isGood(cachedResponse)) ? cachedResponse : null,
});

const isWholePage = async (response: Response) =>
  isClean(response, /^text\/html/) && isOwnDocument(await response.clone().text(), knownFiles);
const isPicture = (response: Response) => isClean(response, /^image\//);

/* The files of the site. */

const files = new PrecacheController({
  cacheName: fileCache,
  plugins: [
    onChosenDevice(({ status }) => status === 200),
    {
      cachedResponseWillBeUsed: async ({ cachedResponse, request }) =>
        cachedResponse && (await isIntact(cachedResponse, request.url)) ? cachedResponse : null,
    },
  ],
});
// The names of these files contain a hash of their content.
files.addToCacheList(precachedFiles.map((file) => ({ ...file, revision: null })));

async function isIntact(response: Response, url: string): Promise<boolean> {
  const digest = await crypto.subtle.digest('SHA-256', await response.clone().arrayBuffer());
  const base64 = btoa(String.fromCharCode(...new Uint8Array(digest)));
  return files.getIntegrityForCacheKey(url) === `sha256-${base64}`;
}

registerRoute(
  new PrecacheRoute(files, { directoryIndex: '', cleanURLs: false, ignoreURLParametersMatching: [] }),
);

/* Pages. */

/** Answers with a kept page if the server has a problem, and without one with the server's own words. */
const unlessServerFails: Plugin = {
  fetchDidSucceed: async ({ response, state }) => {
    if (response.status < 500) return response;
    if (state) state.failure = response;
    throw new Error(`The server answered with ${response.status}.`);
  },
  handlerDidError: async ({ state }) => state?.failure,
};

const keyOf = (request: Request) => publicPageKey(new URL(request.url)) ?? request.url;

const publicPages = new NetworkFirst({
  cacheName: pagesOfBuild,
  networkTimeoutSeconds: networkSeconds,
  matchOptions: { ignoreVary: true },
  plugins: [
    { cacheKeyWillBeUsed: async ({ request }) => keyOf(request) },
    onChosenDevice(isWholePage),
    onlyGood(isWholePage),
    unlessServerFails,
    {
      fetchDidSucceed: async ({ request, response }) => {
        // The practice is not public any more.
        if (response.status === 404 || response.status === 410) await forget(keyOf(request));
        return response;
      },
      cacheDidUpdate: () => trim(pagesOfBuild, mostPages),
    },
  ],
});

/** Answers with the document that renders every page in the browser. */
const documents = new NetworkFirst({
  cacheName: pagesOfBuild,
  networkTimeoutSeconds: networkSeconds,
  matchOptions: { ignoreVary: true },
  plugins: [
    { cacheKeyWillBeUsed: async () => documentPath, cacheWillUpdate: async () => null },
    onlyGood(isWholePage),
    unlessServerFails,
  ],
});

registerRoute(
  ({ request, url }) => request.mode === 'navigate' && publicPageKey(url) !== undefined,
  async ({ event, request }) => {
    try {
      return await publicPages.handle({ event, request });
    } catch (error) {
      // No such page is kept. The document renders the site around a sentence that says so.
      const kept = await keptDocument();
      if (kept) return kept;
      throw error;
    }
  },
);

registerRoute(({ request, url }) => request.mode === 'navigate' && isPrivatePage(url.pathname), documents);

async function keptDocument(): Promise<Response | undefined> {
  const kept = await caches.match(documentPath, { cacheName: pagesOfBuild, ignoreVary: true });
  return kept && (await isWholePage(kept)) ? kept : undefined;
}

async function forget(key: string) {
  if (await caches.has(pagesOfBuild))
    await (await caches.open(pagesOfBuild)).delete(key, { ignoreVary: true });
}

/* Pictures and audio. */

const pictures = new StaleWhileRevalidate({
  cacheName: pictureCache,
  matchOptions: { ignoreVary: true },
  plugins: [
    onChosenDevice(isPicture),
    onlyGood(isPicture),
    {
      cacheDidUpdate: () => trim(pictureCache, mostPictures),
      // Another size of the same picture.
      handlerDidError: async ({ request }) =>
        caches.match(request.url, { cacheName: pictureCache, ignoreSearch: true, ignoreVary: true }),
    },
  ],
});

registerRoute(
  ({ request, sameOrigin, url }) =>
    sameOrigin && request.destination === 'image' && isPublicPicture(url.pathname),
  pictures,
);

registerRoute(
  ({ sameOrigin, url }) => sameOrigin && isPublicAudio(url.pathname),
  async ({ request }) => {
    const kept = await caches.match(request.url, { cacheName: audioCache, ignoreVary: true });
    const sound = kept && isClean(kept, /^audio\//) ? await kept.blob() : undefined;
    // Half a file is no saved audio.
    if (sound?.size !== Number(kept?.headers.get('content-length'))) return fetch(request);
    const whole = new Response(sound, { headers: kept?.headers ?? {} });
    return request.headers.has('range') ? createPartialResponse(request, whole) : whole;
  },
);

/** Deletes the oldest entries that are too many. Never deletes the document and the path for the night. */
async function trim(cacheName: string, most: number): Promise<void> {
  if (!(await caches.has(cacheName))) return;
  const cache = await caches.open(cacheName);
  const keys = await cache.keys();
  if (keys.length <= most) return;
  const night = await cache.match('/practices', { ignoreVary: true });
  const pinned = ['/', '/practices', documentPath, ...nightPathsIn((await night?.text()) ?? '')];
  const isPinned = new Set(pinned.map((path) => keyOf(new Request(path))));
  const removable = keys.filter(({ url }) => !isPinned.has(keyOf(new Request(url))));
  await Promise.all(removable.slice(0, keys.length - most).map((key) => cache.delete(key)));
}

/* What the worker fetches by itself. */

/** Fetches a page, so that it is kept. @returns its HTML, or undefined if it could not be kept */
async function keepPage(event: ExtendableEvent, path: string): Promise<string | undefined> {
  const request = new Request(path, { cache: 'no-cache', headers: { accept: 'text/html' } });
  const [responding, done] = publicPages.handleAll({ event, request });
  await responding.catch(() => undefined);
  await done.catch(() => undefined);
  const kept = await caches.match(keyOf(request), { cacheName: pagesOfBuild, ignoreVary: true });
  return kept && (await isWholePage(kept)) ? kept.text() : undefined;
}

async function keepPictures(event: ExtendableEvent, urls: string[]): Promise<boolean> {
  const kept = urls.map(async (url) => {
    const known = await caches.match(url, { cacheName: pictureCache, ignoreVary: true });
    if (known && isPicture(known)) return true;
    const [responding, done] = pictures.handleAll({ event, request: new Request(url) });
    const response = await responding.catch(() => undefined);
    await done.catch(() => undefined);
    return response !== undefined && isPicture(response);
  });
  return (await Promise.all(kept)).every(Boolean);
}

/** Keeps a practice with its pictures. */
async function keepPractice(event: ExtendableEvent, path: string): Promise<boolean> {
  const html = await keepPage(event, path);
  return html !== undefined && keepPictures(event, picturesIn(html));
}

/** @throws when there is no network, or the server has another build */
async function keepDocument(): Promise<void> {
  const response = await fetch(documentPath, { cache: 'no-cache', headers: { accept: 'text/html' } });
  if (!(await isWholePage(response))) throw new Error('The document is not of this build.');
  if (!(await isChosen())) throw new Error('No user has chosen this device.');
  await (await caches.open(pagesOfBuild)).put(documentPath, response);
  if (!(await isChosen())) await caches.delete(pagesOfBuild);
}

/**
 * Fetches the files that are missing. A device that was erased and chosen again in one page has the same
 * worker, which does not install again.
 */
async function keepFiles(event: ExtendableEvent): Promise<void> {
  for (const { url, integrity } of precachedFiles) {
    const cacheKey = new URL(url, self.location.href).href;
    const request = new Request(url, { integrity });
    const [responding, done] = files.strategy.handleAll({ event, request, params: { cacheKey, integrity } });
    await responding;
    await done;
  }
}

const succeeds = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  );

/** Fetches what is missing, the document, and the path for the night with its pictures. */
async function refresh(event: ExtendableEvent): Promise<Refreshed> {
  const [hasFiles, hasDocument, home, practices] = await Promise.all([
    succeeds(keepFiles(event)),
    succeeds(keepDocument()).then(async () => (await keptDocument()) !== undefined),
    keepPage(event, '/'),
    keepPage(event, '/practices'),
  ]);
  const night = nightPathsIn(practices ?? '');
  const kept = await Promise.all([
    ...night.map((path) => keepPractice(event, path)),
    keepPictures(event, picturesIn(practices ?? '')),
  ]);
  const ready = hasFiles && hasDocument;
  return { ready, complete: ready && home !== undefined && practices !== undefined && kept.every(Boolean) };
}

/** The pages that other builds keep. */
async function pagesOfOtherBuilds(): Promise<string[]> {
  const names = (await caches.keys()).filter((name) => name.startsWith(pageCache) && name !== pagesOfBuild);
  const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
  return keys.flat().map(({ url }) => url);
}

self.addEventListener('install', (event) => {
  event.waitUntil(
    (async () => {
      if (!(await isChosen())) throw new Error('No user has chosen this device.');
      await files.install(event);
      await keepDocument();
      // The pages of the build before need files that go with it. Without network they go, too.
      const before = (await pagesOfOtherBuilds()).filter((url) => new URL(url).pathname !== documentPath);
      await Promise.all(before.map((url) => keepPage(event, url)));
    })(),
  );
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      if (!(await isChosen())) return;
      await files.activate(event);
      const names = await caches.keys();
      const kept = [fileCache, pagesOfBuild, pictureCache, audioCache];
      await Promise.all(names.filter((name) => !kept.includes(name)).map((name) => caches.delete(name)));
      await self.clients.claim();
    })(),
  );
});

self.addEventListener('message', (event) => {
  const request = event.data as WorkerRequest;
  const [port] = event.ports;
  if (request.type === 'take-over') event.waitUntil(self.skipWaiting());
  if (request.type === 'refresh')
    event.waitUntil(refresh(event).then((refreshed) => port?.postMessage(refreshed)));
  if (request.type === 'keep' && publicPageKey(new URL(request.path, self.location.origin)) !== undefined)
    event.waitUntil(keepPractice(event, request.path));
});
