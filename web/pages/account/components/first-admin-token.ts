const key = 'acolhe:first-admin';
/** How long the token is kept. The link of a verification mail is valid for the same time. */
const keptMs = 24 * 60 * 60_000;

let inMemory = '';

/**
 * Keeps the token of a first-admin link while the visitor who opened the link signs up or signs in. All tabs
 * share the token, because the link in a verification mail opens another tab. The token works only once, and
 * is not personal data.
 */
export const firstAdminToken = {
  keep(token: string) {
    inMemory = token;
    try {
      // Removes an older token first. Otherwise, it would be found if the storage is full.
      localStorage.removeItem(key);
      localStorage.setItem(key, `${Date.now()} ${token}`);
    } catch {
      // The browser blocks storage, or the storage is full: the token lasts until the page closes.
    }
  },
  /** Returns an empty string when no token is kept. */
  find(): string {
    try {
      const [at = '', token = ''] = localStorage.getItem(key)?.split(' ') ?? [];
      return Date.now() - Number(at) < keptMs ? token : inMemory;
    } catch {
      return inMemory;
    }
  },
  forget() {
    inMemory = '';
    try {
      localStorage.removeItem(key);
    } catch {
      // The browser blocks storage, so there is nothing to remove.
    }
  },
};
