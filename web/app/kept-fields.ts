/** The values of a form's fields, by name. */
export type Fields = Record<string, string>;

/** The reason for a reload: a deploy has replaced the page's code, or the user asked for the reload. */
export type ReloadReason = 'deploy' | 'asked';

const storageKey = 'acolhe:fields';
/** Stored values expire after this time, which is long enough to load a page on a slow connection. */
const keptForMs = 5 * 60_000;

type Stored = { at: number; reason: ReloadReason; forms: Record<string, Fields> };

const openForms = new Map<string, () => Fields>();
/** The values that were stored before the reload. `takeFields` removes the values of a form. */
const before = takeStored();

/**
 * Lets a form keep its values when the site reloads the page.
 * @param form a name that is the same on every load of the page
 * @param read returns the current values of the form
 * @returns a function that stops keeping the values
 */
export function keepFields(form: string, read: () => Fields): () => void {
  const key = keyOf(form);
  openForms.set(key, read);
  return () => void openForms.delete(key);
}

/**
 * Returns the form's values from before the reload, and the reload's reason. Later calls return `undefined`.
 */
export function takeFields(form: string): { fields: Fields; reason: ReloadReason } | undefined {
  const key = keyOf(form);
  const fields = before?.forms[key];
  if (!before || !fields) return undefined;
  delete before.forms[key];
  return { fields, reason: before.reason };
}

/**
 * Stores the values of the open forms. Call this immediately before a reload.
 * The values can include passwords, so this module removes them from the storage after the reload.
 */
export function storeFields(reason: ReloadReason): void {
  const forms = Object.fromEntries([...openForms].map(([key, read]) => [key, read()]));
  if (Object.keys(forms).length === 0) return;
  try {
    sessionStorage.setItem(storageKey, JSON.stringify({ at: Date.now(), reason, forms } satisfies Stored));
  } catch {
    // The browser blocks storage, so the page is reloaded without the values.
  }
}

function takeStored(): Stored | undefined {
  if (typeof window === 'undefined') return undefined;
  try {
    const text = sessionStorage.getItem(storageKey);
    if (text === null) return undefined;
    sessionStorage.removeItem(storageKey);
    const stored = JSON.parse(text) as Stored;
    return stored.at > Date.now() - keptForMs ? stored : undefined;
  } catch {
    return undefined;
  }
}

const keyOf = (form: string) => `${window.location.pathname} ${form}`;
