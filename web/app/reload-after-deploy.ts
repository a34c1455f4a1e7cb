import { ClientError } from '#client/client-error.ts';
import { ChunkLoadError } from '#client/load-chunk.ts';
import { storeFields } from './kept-fields.ts';

/** Whether an error means that code of the site or of the client library could not be loaded. */
export const isCodeMissing = (error: unknown) =>
  error instanceof ChunkLoadError || (error instanceof ClientError && error.code === 'client/code-missing');

const reloadedFrom = 'acolhe:reloaded-from';

/**
 * Reloads the page once for each replaced build, when a newer deploy has replaced the page's files.
 * Open forms keep their values.
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
    // Offline, or the storage is refused. Without a record of the reload, it could repeat forever.
    return false;
  }
  reloadPage('deploy');
  return true;
}

/** Reloads the page; open forms keep their values. @param reason the forms explain the reload with it */
export function reloadPage(reason: 'deploy' | 'asked' = 'asked'): void {
  storeFields(reason);
  window.location.reload();
}
