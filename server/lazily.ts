/**
 * What is made when it is first asked for: everybody gets the same promise, and a failure is tried again by the
 * next one. What a start does without, such as a library that only sign-in needs, makes it faster and smaller.
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
