import type { AppCheckHeaders, SolveChallenge } from './app-check.ts';
import { createSend } from './http.ts';
import { loadOnCall, onceLoaded } from './load-on-call.ts';
import { loadSchemas } from './schemas.ts';
import { createFindSession, createSignOut } from './session.ts';
import { createGetContent } from './site.ts';
import type { UploadDevice } from './storage/device.ts';

export type ClientOptions = {
  /** The origin of each service, without a slash at the end; empty for the page's own origin. */
  auth?: string;
  documents?: string;
  storage?: string;
  /** Outside a browser, pass a fetch that stores cookies; see cookie-fetch.ts. */
  fetch?: typeof globalThis.fetch;
  /**
   * Loads the function that solves app-check challenges, when the first challenge needs it. Without this
   * option, the calling thread solves the challenges.
   */
  loadSolver?: () => Promise<SolveChallenge>;
  /**
   * Loads the `UploadDevice` at the first call of `storage`. It connects uploads to the network and to the
   * device's storage. Without this option, uploads use plain `fetch`.
   */
  loadUploadDevice?: () => Promise<UploadDevice>;
};

export type Client = ReturnType<typeof createClient>;

/**
 * Creates the typed client of the back end: `auth` for sign-in, `documents` for users, activities,
 * favourites, totals and the newsletter, `site` for the site content, `storage` for files.
 */
export function createClient({
  auth = '',
  documents = '',
  storage = '',
  fetch = globalThis.fetch,
  loadSolver,
  loadUploadDevice,
}: ClientOptions = {}) {
  // Browsers throw an error if `fetch` is called with a `this` other than the window.
  const boundFetch: typeof globalThis.fetch = (...request) => fetch(...request);
  const sendAuth = createSend(auth, boundFetch);
  const sendDocuments = createSend(documents, boundFetch);

  const loadAppCheck = onceLoaded('client/app-check', async () => {
    const [{ createAppCheck }, solveChallenge] = await Promise.all([
      import('./app-check.ts'),
      loadSolver?.() ?? import('./solve-challenge.ts').then((one) => one.solveChallenge),
    ]);
    return createAppCheck(sendAuth, solveChallenge);
  });
  const appCheck: AppCheckHeaders = async () => (await loadAppCheck())();
  const loadAuth = onceLoaded('client/auth', async () =>
    (await import('./auth.ts')).createAuthClient(sendAuth, appCheck),
  );
  const loadDocuments = onceLoaded('client/documents', async () =>
    (await import('./documents.ts')).createDocumentsClient(sendDocuments, appCheck),
  );
  const loadSite = onceLoaded('client/site', async () =>
    (await import('./site-editor.ts')).createSiteEditor(sendDocuments),
  );

  return {
    auth: loadOnCall(loadAuth, {
      findSession: createFindSession(sendAuth),
      signOut: createSignOut(sendAuth),
    }),
    documents: loadOnCall(loadDocuments),
    site: loadOnCall(loadSite, { getContent: createGetContent(sendDocuments) }),
    /** Returns the client of the file service. The first call loads its code. */
    storage: onceLoaded('client/storage', async () => {
      const [{ createStorageClient }, device] = await Promise.all([
        import('./storage/storage.ts'),
        loadUploadDevice?.() ??
          import('./storage/device.ts').then((one) => one.createPlainDevice(boundFetch)),
      ]);
      return createStorageClient({ baseUrl: storage, device, sendAuth, appCheck });
    }),
    /**
     * Loads the code that `auth` and `documents` need. A form calls this when it opens, because a later
     * deploy can remove that code from the server.
     * @throws ClientError `client/code-missing`
     */
    async prepare(): Promise<void> {
      await Promise.all([loadSchemas(), loadAuth(), loadDocuments(), loadAppCheck()]);
    },
  };
}
