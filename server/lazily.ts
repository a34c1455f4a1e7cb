/**
 * Makes a value at the first call. All callers get the same promise; after a failure the next call tries
 * again. It keeps the start fast and small, for example without a library that only sign-in needs.
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
