import { useSyncExternalStore } from 'react';
import { useServices } from './services-context.ts';
import type { SessionSnapshot } from './session.ts';

/** The session as it is now; renders again when it changes. */
export function useSession(): SessionSnapshot {
  const { session } = useServices();
  return useSyncExternalStore(session.subscribe, session.getSnapshot, session.getSnapshot);
}
