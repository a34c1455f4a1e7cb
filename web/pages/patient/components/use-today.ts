import { useEffect, useState } from 'react';
import { calendarDay } from '#web/components/date-and-time.ts';

/** Returns the calendar day where this device is. Follows midnight when the page is shown again. */
export function useToday(): string {
  const [today, setToday] = useState(() => calendarDay());
  useEffect(() => {
    const update = () => setToday(calendarDay());
    document.addEventListener('visibilitychange', update);
    window.addEventListener('focus', update);
    return () => {
      document.removeEventListener('visibilitychange', update);
      window.removeEventListener('focus', update);
    };
  }, []);
  return today;
}
