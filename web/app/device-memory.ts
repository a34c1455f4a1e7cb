/** The storage key of a draft starts with this prefix; the account's id follows. */
export const draftPrefix = 'acolhe:draft:';
/** The storage key of an unfinished upload starts with this prefix. */
export const uploadPrefix = 'acolhe:upload:';
/** The storage key of the last sign-out's time. Pages opened before that time store no drafts or uploads. */
const clearedKey = 'acolhe:cleared';
const signOutKey = 'acolhe:signed-out';

/**
 * Removes the drafts of one account and the unfinished uploads of all accounts from this device. Pages that
 * are already open store no new drafts or uploads.
 * @param uid the account's id; when empty, the drafts of all accounts are removed
 */
export function forgetUser(uid = '', now = Date.now()): void {
  try {
    const own = [draftPrefix + (uid && `${uid}:`), uploadPrefix];
    for (const key of Object.keys(localStorage))
      if (own.some((start) => key.startsWith(start))) localStorage.removeItem(key);
    localStorage.setItem(clearedKey, String(now));
  } catch {
    // The browser blocks storage, so there is nothing to remove.
  }
}

/**
 * True if a user has signed out on this device since `openedAt`.
 * @throws when the browser blocks storage
 */
export const forgottenSince = (openedAt: number) => Number(localStorage.getItem(clearedKey)) >= openedAt;

/** Used while the browser cannot store the sign-out. It lasts until the page closes. */
let signOutInMemory: string | undefined;

/** Stores which session has ended on this device but is still open on the server. */
export const pendingSignOut = {
  /** @param startedAt the start of the session; empty when unknown */
  note(startedAt: string) {
    try {
      localStorage.setItem(signOutKey, startedAt);
      signOutInMemory = undefined;
    } catch {
      // The browser blocks storage, or the storage is full.
      signOutInMemory = startedAt;
    }
  },
  find(): string | undefined {
    try {
      return signOutInMemory ?? localStorage.getItem(signOutKey) ?? undefined;
    } catch {
      return undefined;
    }
  },
  done() {
    signOutInMemory = undefined;
    try {
      localStorage.removeItem(signOutKey);
    } catch {
      // The browser blocks storage, so there is nothing to remove.
    }
  },
};
