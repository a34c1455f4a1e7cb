import { offline } from './client-error.ts';

type Calls<T> = { [name in keyof T]: (...input: never[]) => Promise<unknown> };

/**
 * An object like the one that `load` gives, whose code comes with its first call: a visitor who only reads
 * never needs it. Works because every method answers with a promise.
 * @param atHand methods that are there from the beginning
 */
export function lazily<T extends Calls<T>, AtHand extends Calls<AtHand> = Record<never, never>>(
  load: () => Promise<T>,
  atHand?: AtHand,
): T & AtHand {
  const loaded = onceLoaded(load);
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

/** Gives what `load` gives, loaded with the first call; after a failure the next call tries again. */
export function onceLoaded<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load().catch((cause: unknown) => {
      loaded = undefined;
      throw offline(cause);
    });
    return loaded;
  };
}
