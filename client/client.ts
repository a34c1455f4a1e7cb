import { createAuthClient } from './auth.ts';
import { createDocumentsClient } from './documents.ts';
import { createSend } from './http.ts';

export type ClientOptions = {
  /** Where each service listens, without a slash at the end; empty for the page's own origin. */
  auth?: string;
  documents?: string;
  /** Outside a browser: a fetch that keeps cookies, see cookie-fetch.ts. */
  fetch?: typeof globalThis.fetch;
};

export type Client = ReturnType<typeof createClient>;

/** The back end, typed: `auth` for sign-in, `documents` for users and activities. */
export function createClient({ auth = '', documents = '', fetch = globalThis.fetch }: ClientOptions = {}) {
  // A browser's fetch must be called on its own window.
  const boundFetch: typeof globalThis.fetch = (...request) => fetch(...request);
  return {
    auth: createAuthClient(createSend(auth, boundFetch)),
    documents: createDocumentsClient(createSend(documents, boundFetch)),
  };
}
