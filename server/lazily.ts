/**
 * Makes a value at the first call. All callers get the same promise; after a failure the next call tries
 * again. The server then starts faster and uses less memory: it loads a library for sign-in, for example,
 * only at the first sign-in.
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
