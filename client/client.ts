import type { AppCheckHeaders, SolveChallenge } from './app-check.ts';
import { createSend } from './http.ts';
import { lazily, onceLoaded } from './lazily.ts';
import { createFindSession } from './session.ts';
import type { UploadDevice } from './storage/device.ts';

export type ClientOptions = {
  /** Where each service listens, without a slash at the end; empty for the page's own origin. */
  auth?: string;
  documents?: string;
  storage?: string;
  /** Outside a browser: a fetch that keeps cookies, see cookie-fetch.ts. */
  fetch?: typeof globalThis.fetch;
  /** How app-check challenges are solved; in place when absent. */
  solveChallenge?: SolveChallenge;
  /** What uploads run on, loaded with the first; plain requests when absent. */
  loadUploadDevice?: () => Promise<UploadDevice>;
};

export type Client = ReturnType<typeof createClient>;

/** The back end, typed: `auth` for sign-in, `documents` for users and activities, `storage` for files. */
export function createClient({
  auth = '',
  documents = '',
  storage = '',
  fetch = globalThis.fetch,
  solveChallenge = solveInPlace,
  loadUploadDevice,
}: ClientOptions = {}) {
  // A browser's fetch must be called on its own window.
  const boundFetch: typeof globalThis.fetch = (...request) => fetch(...request);
  const sendAuth = createSend(auth, boundFetch);
  const appCheck: AppCheckHeaders = async () =>
    (await import('./app-check.ts')).createAppCheck(sendAuth, solveChallenge)();

  return {
    auth: lazily(async () => (await import('./auth.ts')).createAuthClient(sendAuth, appCheck), {
      findSession: createFindSession(sendAuth),
    }),
    documents: lazily(async () =>
      (await import('./documents.ts')).createDocumentsClient(createSend(documents, boundFetch), appCheck),
    ),
    /** The file service, whose code comes with the first call. An upload is a task with a life of its own. */
    storage: onceLoaded(async () => {
      const [{ createStorageClient }, device] = await Promise.all([
        import('./storage/storage.ts'),
        loadUploadDevice?.() ??
          import('./storage/device.ts').then((one) => one.createPlainDevice(boundFetch)),
      ]);
      return createStorageClient({ baseUrl: storage, device, sendAuth, appCheck });
    }),
  };
}

/** Loaded only when it is needed. */
const solveInPlace: SolveChallenge = async (challenge) =>
  (await import('./solve-challenge.ts')).solveChallenge(challenge);
