const key = 'acolhe:first-admin';
/** How long the token is kept. The link of a verification mail is valid for the same time. */
const keptMs = 24 * 60 * 60_000;

let inMemory = '';

/**
 * Keeps the token of the opened first-admin link while its user signs up or signs in. All tabs share it,
 * because the link of a verification mail opens in another tab. The token works once and is no personal data.
 */
export const firstAdminToken = {
  keep(token: string) {
    inMemory = token;
    try {
      localStorage.setItem(key, `${Date.now()} ${token}`);
    } catch {
      // The browser blocks storage: the token lasts until the page closes.
    }
  },
  /** Returns an empty string when there is none. */
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
      // The browser blocks storage, so nothing is stored.
    }
  },
};
