import { useEffect, useState } from 'react';

/**
 * Shows how long the user has been signed in. Screen readers read a `timer` on request, not every second.
 */
export function SessionTimer({ startedAt }: { startedAt: number }) {
  const now = useNow();
  return <span role="timer">{`Nesta sessão há ${durationText(now - startedAt)}`}</span>;
}

const tickMs = 1_000;

/** Returns the current time in epoch milliseconds; rerenders every second. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/**
 * Formats a duration: `1 h 2 min 5 s`. A negative duration, which occurs when the clocks of the server and
 * the browser differ, becomes `0 s`.
 */
export function durationText(milliseconds: number): string {
  const whole = Math.max(0, Math.floor(milliseconds / 1_000));
  const [days, hours, minutes] = [86_400, 3_600, 60].map((unit) => Math.floor(whole / unit));
  const parts = [
    days && (days === 1 ? '1 dia' : `${days} dias`),
    hours && `${hours % 24} h`,
    minutes && `${minutes % 60} min`,
    `${whole % 60} s`,
  ];
  return parts.filter(Boolean).join(' ');
}
