import { useSyncExternalStore } from 'react';

/** Whether the page's code is at work: not while it is rendered on the server, nor where it never arrives. */
export const useHydrated = () =>
  useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
