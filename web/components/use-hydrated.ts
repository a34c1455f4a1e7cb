import { useSyncExternalStore } from 'react';

/** True if the page is hydrated; false on the server, and in a browser whose code cannot be loaded. */
export const useHydrated = () =>
  useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
