import { offline } from './client-error.ts';

type Calls<T> = { [name in keyof T]: (...input: never[]) => Promise<unknown> };

/**
 * An object like the one that `load` gives, whose code comes with its first call: a visitor who only reads
 * never needs it. Works because every method answers with a promise.
 */
export function lazily<T extends Calls<T>>(load: () => Promise<T>): T {
  let loaded: Promise<T> | undefined;
  return new Proxy({} as T, {
    get:
      (_, name) =>
      async (...input: never[]) => {
        loaded ??= load().catch((cause: unknown) => {
          loaded = undefined;
          throw offline(cause);
        });
        return (await loaded)[name as keyof T](...input);
      },
  });
}
