import { hasCode } from '#client/client-error.ts';
import { ChunkLoadError, isOffline } from '#client/load-chunk.ts';
import { keepTypedFields } from './kept-fields.ts';

/** True if an error means that code of the site or of the client library could not be loaded. */
export const isCodeMissing = (error: unknown) =>
  error instanceof ChunkLoadError || hasCode(error, 'client/code-missing');

const reloadedFrom = 'acolhe:reloaded-from';

let checking: Promise<boolean> | undefined;

/**
 * Reloads the page if a newer deploy has replaced its files. Does nothing if the last reload by this function
 * started from the same build. Several parts of a page can miss their code at once, so they share one check.
 * @returns whether the page is being reloaded
 */
export function reloadIfReplaced(): Promise<boolean> {
  checking ??= checkBuild('newer').finally(() => {
    checking = undefined;
  });
  return checking;
}

/**
 * Like `reloadIfReplaced`, but also reloads an equal build, if this tab has not reloaded for missing code
 * before. Browsers remember a failed import until the page reloads, so one lost request would leave the page
 * without its code.
 */
export const reloadForCode = (): Promise<boolean> => checkBuild('any');

async function checkBuild(wanted: 'newer' | 'any'): Promise<boolean> {
  const scripts = [...document.querySelectorAll<HTMLScriptElement>('script[type="module"]')];
  const sources = scripts.map((script) => script.getAttribute('src') ?? script.dataset.files ?? '');
  const build = sources.join(' ');
  try {
    const before = sessionStorage.getItem(reloadedFrom);
    if (before === build) return false;
    const page = await fetch(window.location.href, { cache: 'no-store', headers: { accept: 'text/html' } });
    const text = await page.text();
    const isNewer = !sources.every((source) => text.includes(source));
    if (!isNewer && (wanted === 'newer' || before !== null)) return false;
    sessionStorage.setItem(reloadedFrom, build);
  } catch {
    // The browser is offline or blocks storage. Without a record of the reload, reloads could repeat forever.
    return false;
  }
  reloadPage();
  return true;
}

/**
 * Reloads the page; prerendered forms keep their texts. Without a connection it does nothing, because the
 * browser would replace the page with its own error page.
 */
export function reloadPage(): void {
  if (isOffline()) return;
  keepTypedFields();
  window.location.reload();
}
