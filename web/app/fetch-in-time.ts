import { chosenUid } from './device-memory.ts';

/** How long a read waits for its response on a device that a user has chosen for use without network. */
const readWaitMs = 5_000;

/**
 * A weak network can be silent for minutes. On a chosen device, the pages for use without network must open
 * then, so a read without a response fails as without network.
 */
export const fetchInTime: typeof fetch = async (input, init = {}) => {
  const { method = 'GET', signal } = init;
  if (method !== 'GET' || chosenUid() === undefined || location.pathname.startsWith('/admin'))
    return fetch(input, init);
  const either = new AbortController();
  const abort = () => either.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  const timer = setTimeout(() => either.abort(), readWaitMs);
  try {
    return await fetch(input, { ...init, signal: either.signal });
  } finally {
    clearTimeout(timer);
  }
};
