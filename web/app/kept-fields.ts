/** Keeps what a visitor has typed into a prerendered form while the page reloads. */

type Field = HTMLInputElement | HTMLTextAreaElement;
type Kept = { at: number; path: string; values: Record<string, string> };

const storageKey = 'acolhe:fields';
/** Stored values expire after this time, which is long enough to load a page on a slow connection. */
const keptForMs = 5 * 60_000;

/**
 * Stores the texts of the forms. Call this immediately before a reload. It stores no password, also not one
 * that is shown as text, no text area with `autocomplete="off"`, and no consent: the visitor gives it again.
 */
export function keepTypedFields(): void {
  const typed = textFields().filter(({ value }) => value !== '');
  if (typed.length === 0) return;
  const values = Object.fromEntries(typed.map(({ name, value }) => [name, value]));
  const kept: Kept = { at: Date.now(), path: window.location.pathname, values };
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(kept));
  } catch {
    // The browser blocks storage, so the page is reloaded without the values.
  }
}

/** Fills the fields with the stored texts, like a browser's autofill, and deletes the stored texts. */
export function restoreTypedFields(): void {
  try {
    const text = sessionStorage.getItem(storageKey);
    if (text === null) return;
    sessionStorage.removeItem(storageKey);
    const { at, path, values } = JSON.parse(text) as Kept;
    if (path !== window.location.pathname || at < Date.now() - keptForMs) return;
    for (const field of textFields()) if (field.value === '') field.value = values[field.name] ?? '';
  } catch {
    // The browser blocks storage.
  }
}

const textFields = () => [
  ...document.querySelectorAll<Field>(
    'form:is(#root *) :is(input[type="text"], input[type="email"], textarea:not([autocomplete="off"]))[name]:not([autocomplete$="password"])',
  ),
];
