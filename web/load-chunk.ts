import { limits } from '#contract/limits.ts';

/** A code chunk that did not arrive, because of a time-out, a missing file or no connection. */
export class ChunkLoadError extends Error {
  constructor(name: string, cause: unknown) {
    super(`Loading chunk ${name} failed`, { cause });
    this.name = 'ChunkLoadError';
  }
}

/**
 * Loads a code chunk on demand.
 * @throws ChunkLoadError naming the chunk, after a failure or the time-out
 */
export async function loadChunk<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('timeout')), limits.chunkLoadTimeoutMs);
  });
  try {
    return await Promise.race([load(), timeout]);
  } catch (cause) {
    const error = new ChunkLoadError(name, cause);
    console.error(error.message, cause);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

const reloadedFrom = 'acolhe:reloaded-from';

/**
 * Reloads the page when its files were replaced by a newer deploy, once for each build that went stale.
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
  window.location.reload();
  return true;
}
