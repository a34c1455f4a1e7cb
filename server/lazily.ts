/**
 * Returns a function that calls `make` at its first call. All calls return the same promise, but after a
 * failure, the next call runs `make` again. The server uses this to start faster and to need less memory: it
 * loads a library for sign-in, for example, only at the first sign-in.
 */
export function lazily<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
