import { ClientError } from '#client/client-error.ts';
import { ChunkLoadError } from '#client/load-chunk.ts';
import { storeFields } from './kept-fields.ts';

/** Whether something failed because code of the site did not arrive: a page's, a part's or the client library's. */
export const isCodeMissing = (error: unknown) =>
  error instanceof ChunkLoadError || (error instanceof ClientError && error.code === 'client/code-missing');

const reloadedFrom = 'acolhe:reloaded-from';

/**
 * Reloads the page when its files were replaced by a newer deploy, once for each build that went stale. Open forms
 * keep what was typed.
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
    // Offline, or storage is forbidden: without a memory of the reload there must not be one.
    return false;
  }
  reloadPage('deploy');
  return true;
}

/** Reloads the page; open forms keep what was typed. @param reason what those forms say about it */
export function reloadPage(reason: 'deploy' | 'asked' = 'asked'): void {
  storeFields(reason);
  window.location.reload();
}
