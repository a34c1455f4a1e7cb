const key = 'acolhe:first-admin';
/** As long as the link of a verification mail is valid. */
const keptMs = 24 * 60 * 60_000;

let inMemory = '';

/**
 * The token of the opened first-admin link, while its user signs up or signs in. The link of a verification
 * mail opens in another tab, so all tabs share it. It is valid once and no personal data.
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
