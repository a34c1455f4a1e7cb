/** The storage key of a draft starts with this prefix; the account's id follows. */
export const draftPrefix = 'acolhe:draft:';
/** The storage key of an unfinished upload starts with this prefix. */
export const uploadPrefix = 'acolhe:upload:';
/** The storage key of the practices that the last user has opened. */
export const openedKey = 'acolhe:opened';
/** The storage key of the practice that a visitor wants to keep after signing up. */
export const wantedPracticeKey = 'acolhe:wanted-practice';
/** The storage key of the user who has chosen to use the site without network on this device. */
const chosenKey = 'acolhe:device';
/** The storage key of the last sign-out's time. Pages opened before that time store no drafts or uploads. */
const clearedKey = 'acolhe:cleared';
const signOutCookie = 'acolhe-signed-out';
const yearSeconds = 31_536_000;

/**
 * Removes from this device the drafts of one account, all unfinished uploads, and the practices that were
 * wanted or last opened. Pages that
 * are already open store no new drafts or uploads.
 * @param uid the account's id; when empty, the drafts of all accounts are removed
 */
export function forgetUser(uid = '', now = Date.now()): void {
  try {
    const own = [draftPrefix + (uid && `${uid}:`), uploadPrefix, wantedPracticeKey, openedKey];
    for (const key of Object.keys(localStorage))
      if (own.some((start) => key.startsWith(start))) localStorage.removeItem(key);
    localStorage.setItem(clearedKey, String(now));
  } catch {
    // The browser blocks storage, so there is nothing to remove.
  }
}

/**
 * True if a user has signed out on this device since `openedAt`. Ignores a sign-out in the future: the clock
 * was ahead at that time.
 * @throws when the browser blocks storage
 */
export function forgottenSince(openedAt: number): boolean {
  const clearedAt = Number(localStorage.getItem(clearedKey));
  return clearedAt >= openedAt && clearedAt <= Date.now();
}

/**
 * Stores which session has ended on this device but is still open on the server. Uses a cookie, because
 * `localStorage` can be full.
 */
export const pendingSignOut = {
  /** @param startedAt the start of the session; empty when unknown */
  note: (startedAt: string) => writeSignOut(startedAt, yearSeconds),
  find: (): string | undefined => new RegExp(`(?:^|; )${signOutCookie}=(\\d*)`).exec(document.cookie)?.[1],
  done: () => writeSignOut('', 0),
};

function writeSignOut(value: string, maxAgeSeconds: number) {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the oldest browsers have no Cookie Store API.
  document.cookie = `${signOutCookie}=${value}; Max-Age=${maxAgeSeconds}; Path=/; SameSite=Strict${secure}`;
}

/** The names of the databases and caches of use without network begin with this. */
export const devicePrefix = 'acolhe';

/** Returns the uid of the user who uses the site without network on this device, if there is one. */
export function chosenUid(): string | undefined {
  try {
    return localStorage.getItem(chosenKey) ?? undefined;
  } catch {
    return undefined;
  }
}

const choiceEvent = 'acolhe-choice';
const tellChoice = () => window.dispatchEvent(new Event(choiceEvent));

/** Calls `listener` when a tab of this browser chooses or erases the device. */
export function followChoice(listener: () => void): () => void {
  // The browser sends `storage` to the other tabs only.
  const events = ['storage', choiceEvent];
  for (const name of events) window.addEventListener(name, listener);
  return () => {
    for (const name of events) window.removeEventListener(name, listener);
  };
}

/** @throws when the browser blocks storage, or the storage is full */
export function chooseDevice(uid: string): void {
  localStorage.setItem(chosenKey, uid);
  tellChoice();
}

/**
 * Removes everything that this device keeps for use without network, also entries of the diary that wait to
 * be sent. Needs no network. Open pages and the worker store nothing afterwards.
 */
export async function eraseDevice(): Promise<void> {
  const uid = chosenUid();
  try {
    localStorage.removeItem(chosenKey);
  } catch {
    // The browser blocks storage, so there is nothing to remove.
  }
  tellChoice();
  // Firefox 115 cannot list databases.
  const erasing = uid === undefined ? [] : [deleteDatabase(`${devicePrefix}-${uid}`)];
  if ('caches' in window)
    erasing.push(caches.keys().then((names) => Promise.all(names.map((name) => caches.delete(name)))));
  if ('serviceWorker' in navigator)
    erasing.push(
      navigator.serviceWorker
        .getRegistrations()
        .then((workers) => Promise.all(workers.map((worker) => worker.unregister()))),
    );
  // If the browser refuses one of them, the others still go.
  await Promise.allSettled(erasing);
}

/** Resolves also if another tab still has the database open: that tab closes it, and the deletion follows. */
const deleteDatabase = (name: string): Promise<unknown> =>
  new Promise<void>((resolve) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = request.onerror = request.onblocked = () => resolve();
  });
