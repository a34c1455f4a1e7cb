import { userHeader } from '#contract/user.ts';
import { createAppCheck, type SolveChallenge } from './app-check.ts';
import { createAuthClient } from './auth.ts';
import { createDiaryClient } from './diary.ts';
import { createDocumentsClient } from './documents.ts';
import { createGetContent } from './first-calls.ts';
import { createSend, type Send } from './http.ts';
import { onceLoaded } from './once-loaded.ts';
import { createSiteEditor } from './site-editor.ts';
import { solveChallenge } from './solve-challenge.ts';
import type { UploadDevice } from './storage/device.ts';
import { createWeekClient } from './week.ts';

export type ClientOptions = {
  /** The origin of each service, without a slash at the end; empty for the page's own origin. */
  auth?: string;
  documents?: string;
  storage?: string;
  /** Outside a browser, pass a fetch that stores cookies; see cookie-fetch.ts. */
  fetch?: typeof globalThis.fetch;
  /** Solves app-check challenges. Without this option, the calling thread solves them. */
  solve?: SolveChallenge;
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
  solve = solveChallenge,
  loadUploadDevice,
}: ClientOptions = {}) {
  // Browsers throw an error if `fetch` is called with a `this` other than the window.
  const boundFetch: typeof globalThis.fetch = (...request) => fetch(...request);
  const sendAuth = createSend(auth, boundFetch);
  const sendDocuments = createSend(documents, boundFetch);

  /** The server refuses these requests in a session of another user. */
  const sendFor =
    (uid: string | undefined): Send =>
    (path, options) =>
      sendDocuments(path, {
        ...options,
        headers: { ...options?.headers, ...(uid !== undefined && { [userHeader]: uid }) },
      });

  const appCheck = createAppCheck(sendAuth, solve);
  const diarySharesCode = onceLoaded('client/diary-shares', () => import('./diary-shares.ts'));

  return {
    auth: createAuthClient(sendAuth, appCheck),
    documents: createDocumentsClient(sendDocuments, appCheck),
    site: { ...createSiteEditor(sendDocuments), getContent: createGetContent(sendDocuments) },
    /** Returns the client of the newsletter's issues. The first call loads its code. */
    issues: onceLoaded('client/newsletter', async () =>
      (await import('./newsletter.ts')).createIssuesClient(sendDocuments),
    ),
    /**
     * Returns the client of the signed-in user's diary.
     * @param uid the user for whom the page was opened. The server refuses the requests in the session of
     * another user.
     */
    diary: async (uid?: string) => createDiaryClient(sendFor(uid)),
    /** Returns the client of clinicians and of what they may read. The first call loads its code. */
    clinicians: onceLoaded('client/clinicians', async () =>
      (await import('./clinicians.ts')).createCliniciansClient(sendDocuments),
    ),
    /**
     * Returns the client of the diary's shares and of notes. The first call loads its code.
     * @param uid as for `diary`
     */
    diaryShares: async (uid?: string) => (await diarySharesCode()).createDiarySharesClient(sendFor(uid)),
    /** Returns the client of the practices that clinicians propose. */
    week: async () => createWeekClient(sendDocuments),
    /** Returns the client of the reminder by e-mail. The first call loads its code. */
    reminder: onceLoaded('client/reminder', async () =>
      (await import('./reminder.ts')).createReminderClient(sendDocuments),
    ),
    /** Returns the client of the file service. The first call loads its code. */
    storage: onceLoaded('client/storage', async () => {
      const [{ createStorageClient }, device] = await Promise.all([
        import('./storage/storage.ts'),
        loadUploadDevice?.() ??
          import('./storage/device.ts').then((one) => one.createPlainDevice(boundFetch)),
      ]);
      return createStorageClient({ baseUrl: storage, device, sendAuth, appCheck });
    }),
  };
}
