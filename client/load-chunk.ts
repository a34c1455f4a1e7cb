const loadTimeoutMs = 120_000;

/** True if the device reports that it has no connection. */
export const isOffline = () => (globalThis.navigator as { onLine?: boolean } | undefined)?.onLine === false;

/** A code chunk that could not be loaded: a time-out, a missing file or no connection. */
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
    // The chunk may import another one, whose name is more precise.
    if (cause instanceof ChunkLoadError) throw cause;
    const error = new ChunkLoadError(name, cause);
    // A missing connection is not an error of the site.
    console[isOffline() ? 'warn' : 'error'](error.message, cause);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
