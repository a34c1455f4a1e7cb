import { useEffect, useState } from 'react';
import type { Schedule } from '#contract/site/schedule.ts';
import { CvvLink } from '#web/components/layout/contact-links.tsx';
import { openingAt, openingSentence } from './opening.ts';

/** The interval between updates, in milliseconds. An outdated sentence is shown for at most this time. */
const tickMs = 10_000;

/** Says whether the clinic is open now, and when it closes or opens. */
export function CurrentHours({ schedule, className }: { schedule: Schedule; className: string | undefined }) {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), tickMs);
    return () => clearInterval(timer);
  }, []);
  const opening = openingAt(schedule, now);
  if (!opening) return null;
  return (
    <span className={className}>
      <span>{openingSentence(opening)}</span>
      {!opening.isOpen && (
        <span>
          {' Não dá para esperar? '}
          <CvvLink />.
        </span>
      )}
    </span>
  );
}
