/** The fields of a form by name. */
export type Fields = Record<string, string>;

/** Why the page was reloaded: a deploy replaced its code, or the person asked for it. */
export type ReloadReason = 'deploy' | 'asked';

const storageKey = 'acolhe:fields';
/** Long enough for a page to load on a slow line. */
const keptForMs = 5 * 60_000;

type Stored = { at: number; reason: ReloadReason; forms: Record<string, Fields> };

const openForms = new Map<string, () => Fields>();
/** What was typed before the page was reloaded, until the forms have taken it. */
const before = takeStored();

/**
 * Lets a form keep its fields when the site reloads its page.
 * @param form the same on every load of the page
 * @returns ends that
 */
export function keepFields(form: string, read: () => Fields): () => void {
  const key = keyOf(form);
  openForms.set(key, read);
  return () => void openForms.delete(key);
}

/** What the form held before the site reloaded its page, and why; once. */
export function takeFields(form: string): { fields: Fields; reason: ReloadReason } | undefined {
  const key = keyOf(form);
  const fields = before?.forms[key];
  if (!before || !fields) return undefined;
  delete before.forms[key];
  return { fields, reason: before.reason };
}

/**
 * Keeps the open forms for the reload that follows at once. Passwords are among the fields, so the next load removes
 * them from the browser's storage before anything else.
 */
export function storeFields(reason: ReloadReason): void {
  const forms = Object.fromEntries([...openForms].map(([key, read]) => [key, read()]));
  if (Object.keys(forms).length === 0) return;
  try {
    sessionStorage.setItem(storageKey, JSON.stringify({ at: Date.now(), reason, forms } satisfies Stored));
  } catch {
    // A browser that keeps nothing: the page is reloaded without.
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
