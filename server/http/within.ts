/** Awaits `work` for a limited time. @throws Error after that time; the work itself continues */
export async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const refuse = () => reject(new Error(`No response within ${milliseconds} ms.`));
  // After a long computation, the timer fires before the event loop reads responses that have already
  // arrived. `setImmediate` lets it read them first.
  const timer = setTimeout(() => setImmediate(refuse), milliseconds);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
