import { durationText } from './duration.ts';
import { useNow } from './use-now.ts';

/**
 * Shows how long the user has been signed in. Screen readers read a `timer` on request, not every second.
 */
export function SessionTimer({ startedAt }: { startedAt: number }) {
  const now = useNow();
  return <span role="timer">{`Nesta sessão há ${durationText(now - startedAt)}`}</span>;
}
