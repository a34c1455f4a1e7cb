import { codeMissing } from './client-error.ts';
import { loadChunk } from './load-chunk.ts';

/**
 * Returns a function whose first call runs `load`; later calls return the same result. After a failure, the
 * next call runs `load` again. Browsers can remember that an import has failed, and report the same failure
 * until the page reloads, so pages offer a reload.
 * @param name the name of the chunk, for the error
 * @throws ClientError `client/code-missing`
 */
export function onceLoaded<T>(name: string, load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= loadChunk(name, load).catch((cause: unknown) => {
      loaded = undefined;
      throw codeMissing(cause);
    });
    return loaded;
  };
}
