import { wantedPracticeKey } from './device-memory.ts';

/** How long a token is kept. The link of a verification mail is valid for the same time. */
const keptMs = 24 * 60 * 60_000;

/**
 * Keeps the token of a link, or the id of a practice, while the visitor who opened it signs up or signs in. A
 * token works only once, and is not personal data.
 * @param storage `localStorage` shares the token with all tabs
 */
function createKeptToken(key: string, storage: 'localStorage' | 'sessionStorage') {
  let inMemory = '';
  return {
    keep(token: string) {
      inMemory = token;
      try {
        // Removes an older token first. Otherwise, it would be found if the storage is full.
        window[storage].removeItem(key);
        window[storage].setItem(key, `${Date.now()} ${token}`);
      } catch {
        // The browser blocks storage, or the storage is full: the token lasts until the page closes.
      }
    },
    /** Returns an empty string when no token is kept. */
    find(): string {
      try {
        const [at = '', token = ''] = window[storage].getItem(key)?.split(' ') ?? [];
        return Date.now() - Number(at) < keptMs ? token : inMemory;
      } catch {
        return inMemory;
      }
    },
    forget() {
      inMemory = '';
      try {
        window[storage].removeItem(key);
      } catch {
        // The browser blocks storage, so there is nothing to remove.
      }
    },
  };
}

/** All tabs share it, because the link in a verification mail opens another tab. */
export const firstAdminToken = createKeptToken('acolhe:first-admin', 'localStorage');

/** The practice that the visitor wants to keep after the sign-up or the sign-in that began last. */
export const wantedPractice = createKeptToken(wantedPracticeKey, 'localStorage');

export const emailChangeToken = createKeptToken('acolhe:email-change', 'sessionStorage');

export const invitationToken = createKeptToken('acolhe:invitation', 'sessionStorage');
