/** Begins the keys of drafts; the account's id follows. */
export const draftPrefix = 'acolhe:draft:';
/** Begins the keys of unfinished uploads. */
export const uploadPrefix = 'acolhe:upload:';
/** When a person last signed out on this device. What was open then keeps nothing any more. */
const clearedKey = 'acolhe:cleared';
const signOutKey = 'acolhe:signed-out';

/**
 * Removes what drafts and uploads of an account have left on this device, and lets nothing that is open keep more.
 * @param uid whose drafts; those of every account where it is not known
 */
export function forgetPerson(uid = '', now = Date.now()): void {
  try {
    const own = [draftPrefix + (uid && `${uid}:`), uploadPrefix];
    for (const key of Object.keys(localStorage))
      if (own.some((start) => key.startsWith(start))) localStorage.removeItem(key);
    localStorage.setItem(clearedKey, String(now));
  } catch {
    // Nothing can be kept here at all.
  }
}

/** Whether a person has signed out on this device since `openedAt`. @throws where the browser refuses its storage */
export const forgottenSince = (openedAt: number) => Number(localStorage.getItem(clearedKey)) >= openedAt;

let signOutInMemory: string | undefined;

/** The session that ended on this device and that the server still holds open. */
export const pendingSignOut = {
  /** @param startedAt of the session; empty where it is not known */
  note(startedAt: string) {
    signOutInMemory = startedAt;
    try {
      localStorage.setItem(signOutKey, startedAt);
    } catch {
      // A browser that keeps nothing: known until the page closes.
    }
  },
  find(): string | undefined {
    try {
      return localStorage.getItem(signOutKey) ?? undefined;
    } catch {
      return signOutInMemory;
    }
  },
  done() {
    signOutInMemory = undefined;
    try {
      localStorage.removeItem(signOutKey);
    } catch {
      // Nothing was kept there either.
    }
  },
};
