import { hasCode } from '#client/client-error.ts';
import { ChunkLoadError, isOffline } from '#client/load-chunk.ts';
import { type ReloadReason, storeFields } from './kept-fields.ts';

/** True if an error means that code of the site or of the client library could not be loaded. */
export const isCodeMissing = (error: unknown) =>
  error instanceof ChunkLoadError || hasCode(error, 'client/code-missing');

const reloadedFrom = 'acolhe:reloaded-from';

/**
 * Reloads the page if a newer deploy has replaced its files; open forms keep their values. Does nothing if
 * the last reload by this function started from the same build.
 * @returns whether the page is being reloaded
 */
export async function reloadIfReplaced(): Promise<boolean> {
  const scripts = [...document.querySelectorAll<HTMLScriptElement>('script[type="module"]')];
  const sources = scripts.map((script) => script.getAttribute('src') ?? script.dataset.files ?? '');
  const build = sources.join(' ');
  try {
    if (sessionStorage.getItem(reloadedFrom) === build) return false;
    const page = await fetch(window.location.href, { cache: 'no-store', headers: { accept: 'text/html' } });
    const text = await page.text();
    if (sources.every((source) => text.includes(source))) return false;
    sessionStorage.setItem(reloadedFrom, build);
  } catch {
    // The browser is offline or blocks storage. Without a record of the reload, reloads could repeat forever.
    return false;
  }
  reloadPage('deploy');
  return true;
}

/**
 * Reloads the page; open forms keep their values. Without a connection it does nothing, because the browser
 * would replace the page with its own error page.
 * @param reason lets the forms explain the reload to the user
 */
export function reloadPage(reason: ReloadReason = 'asked'): void {
  if (isOffline()) return;
  storeFields(reason);
  window.location.reload();
}
