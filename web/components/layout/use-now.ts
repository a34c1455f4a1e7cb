import { useEffect, useState } from 'react';
import { limits } from '#contract/limits.ts';

/** Returns the current time in epoch milliseconds; rerenders with every tick of the session timer. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), limits.sessionTickMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}
