import { codeMissing } from './client-error.ts';
import { loadChunk } from './load-chunk.ts';

type Calls<T> = { [name in keyof T]: (...input: never[]) => Promise<unknown> };

/**
 * Returns an object with the same methods as the object that `loaded` loads. The first call of a method loads
 * that object, so a visitor who only reads never downloads its code. Every method must return a promise.
 * @param atHand methods that are available without loading
 */
export function loadOnCall<T extends Calls<T>, AtHand extends Calls<AtHand> = Record<never, never>>(
  loaded: () => Promise<T>,
  atHand?: AtHand,
): T & AtHand {
  return new Proxy((atHand ?? {}) as T & AtHand, {
    get:
      (target, name) =>
      async (...input: never[]) => {
        const method = name as keyof T & keyof AtHand;
        if (Object.hasOwn(target, name)) return target[method](...input);
        return (await loaded())[method](...input);
      },
  });
}

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
