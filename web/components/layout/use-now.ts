import { useEffect, useState } from 'react';

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
