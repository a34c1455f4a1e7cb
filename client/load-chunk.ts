const loadTimeoutMs = 120_000;

/** True if the device reports that it has no connection. */
export const isOffline = () => (globalThis.navigator as { onLine?: boolean } | undefined)?.onLine === false;

/** Thrown when a chunk could not be loaded, because of a time-out, a missing file or no connection. */
export class ChunkLoadError extends Error {
  constructor(name: string, cause: unknown) {
    super(`Loading chunk ${name} failed`, { cause });
    this.name = 'ChunkLoadError';
  }
}

/**
 * Loads a chunk of code on demand. Every `import()` of the site and of this library uses this function.
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
    // This error comes from another chunk that this chunk loads, and names that chunk, so throw it unchanged.
    if (cause instanceof ChunkLoadError) throw cause;
    const error = new ChunkLoadError(name, cause);
    // Without a connection, log only a warning, because nothing is wrong with the site.
    console[isOffline() ? 'warn' : 'error'](error.message, cause);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
