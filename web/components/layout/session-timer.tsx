import { durationText } from './duration.ts';
import { useNow } from './use-now.ts';

/** How long the person has been signed in. A `timer` is read when asked for, not at every tick. */
export function SessionTimer({ startedAt }: { startedAt: number }) {
  const now = useNow();
  return <span role="timer">Nesta sessão há {durationText(now - startedAt)}</span>;
}
