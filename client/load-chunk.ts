const loadTimeoutMs = 120_000;

/** True if the device reports that it has no connection. */
export const isOffline = () => (globalThis.navigator as { onLine?: boolean } | undefined)?.onLine === false;

/** The error for a code chunk that could not load, because of a time-out, a missing file or no connection. */
export class ChunkLoadError extends Error {
  constructor(name: string, cause: unknown) {
    super(`Loading chunk ${name} failed`, { cause });
    this.name = 'ChunkLoadError';
  }
}

/**
 * Loads a code chunk on demand. Every `import()` of the site and of this library goes through here.
 * @throws ChunkLoadError naming the chunk, after a failure or the time-out
 */
export async function loadChunk<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('timeout')), loadTimeoutMs);
  });
  try {
    return await Promise.race([load(), timeout]);
  } catch (cause) {
    // A chunk that this chunk loads has failed. Its error names the failed chunk more precisely.
    if (cause instanceof ChunkLoadError) throw cause;
    const error = new ChunkLoadError(name, cause);
    // Without a connection, log only a warning: the site has no error.
    console[isOffline() ? 'warn' : 'error'](error.message, cause);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
