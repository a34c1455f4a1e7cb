import { useSyncExternalStore } from 'react';
import { useServices } from './services-context.ts';
import type { SessionSnapshot } from './session.ts';

/** Returns the current session and rerenders when it changes. */
export function useSession(): SessionSnapshot {
  const { session } = useServices();
  return useSyncExternalStore(session.subscribe, session.getSnapshot, session.getSnapshot);
}
