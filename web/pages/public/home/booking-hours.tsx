import { useContent } from '#web/app/services-context.ts';
import { CvvLink } from '#web/components/layout/contact-links.tsx';
import { useHydrated } from '#web/components/use-hydrated.ts';
import styles from './booking-hours.module.css';
import { CurrentHours } from './current-hours.tsx';

/**
 * Says when the clinic answers. A prerendered page shows the usual hours, because the server sends the same
 * HTML at all times of day. If the clinic has entered its schedule, `CurrentHours` replaces this sentence on
 * screen after hydration.
 */
export function BookingHours() {
  const { hours, schedule } = useContent('identity');
  const isKnown = schedule.days.length > 0;
  return (
    <p className={styles.hours} data-changes={isKnown || undefined}>
      {useHydrated() && isKnown && <CurrentHours schedule={schedule} className={styles.current} />}
      <span>
        <span>{`${hours.replace(/\.?$/, '.')} Não dá para esperar?`}</span> <CvvLink />.
      </span>
    </p>
  );
}
