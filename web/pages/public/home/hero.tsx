import { useEffect, useState } from 'react';
import type { HomeTexts } from '#contract/site/content.ts';
import type { Schedule } from '#contract/site/schedule.ts';
import { useContent } from '#web/app/services.ts';
import type { MuralPlan } from '#web/components/art/draw-mural.ts';
import { Mural } from '#web/components/art/mural.tsx';
import { ButtonLink } from '#web/components/button.tsx';
import { classNames } from '#web/components/class-names.ts';
import { BookingLink, CvvLink } from '#web/components/layout/contact-links.tsx';
import { useHydrated } from '#web/components/use-hydrated.ts';
import { Portrait } from '../components/portrait.tsx';
import styles from './hero.module.css';
import { usualHours } from './hours.ts';
import { openingAt, openingSentence } from './opening.ts';

const wall: MuralPlan = {
  side: 100,
  columns: 13,
  rows: 11,
  seed: 23,
  blank: 0.04,
  clearing: { column: 5, row: 4, radius: 1.9 },
  flowers: [
    { column: 7, row: 2, tint: 'sage' },
    { column: 6, row: 7, tint: ['clay', 'sand', 'sand', 'sand', 'sand', 'sand'] },
    { column: 3, row: 1, tint: 'deep' },
    { column: 9, row: 6, tint: 'sage' },
    { column: 10, row: 3, tint: 'deep' },
    { column: 3, row: 6, tint: 'deep' },
  ],
  quiet: [
    ['tone', 76],
    ['deep', 24],
  ],
};

/** The first screen of the home page. */
export function Hero({ texts }: { texts: HomeTexts['hero'] }) {
  return (
    <section className={styles.hero} aria-labelledby="inicio">
      <div className={styles.text}>
        <h1 className={classNames('page-title', styles.title)} id="inicio">
          {texts.lines.map((line, index) => (
            <span key={index}>{line} </span>
          ))}
        </h1>
        <p className={classNames('lead', styles.lead)}>{texts.lead}</p>
        <div className={styles.actions}>
          <BookingLink />
          <ButtonLink to="/practices" variant="quiet">
            Ver as práticas
          </ButtonLink>
          <p className={styles.help}>
            Ajuda agora: <CvvLink />
          </p>
        </div>
        <BookingHours />
        <p className={styles.note}>{texts.note}</p>
      </div>
      <div className={styles.panel}>
        <Mural plan={wall} className={styles.wall} />
        <Portrait portrait={texts.portrait} width={400} height={434} className={styles.portrait} />
      </div>
    </section>
  );
}

/**
 * Says when the clinic answers. A prerendered page shows the usual hours, because the server sends the same
 * HTML at all times of day. If the clinic has entered its schedule, `CurrentHours` replaces this sentence on
 * screen after hydration.
 */
function BookingHours() {
  const identity = useContent('identity');
  const { schedule } = identity;
  const isKnown = schedule.days.length > 0;
  return (
    <p className={styles.hours} data-changes={isKnown || undefined}>
      {useHydrated() && isKnown && <CurrentHours schedule={schedule} className={styles.current} />}
      <span>{`${usualHours(identity)}.`}</span>
    </p>
  );
}

/** The interval between updates, in milliseconds. An outdated sentence is shown for at most this time. */
const tickMs = 10_000;

/** Says whether the clinic is open now, and when it closes or opens. */
function CurrentHours({ schedule, className }: { schedule: Schedule; className: string | undefined }) {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), tickMs);
    return () => clearInterval(timer);
  }, []);
  const opening = openingAt(schedule, now);
  if (!opening) return null;
  return <span className={className}>{openingSentence(opening)}</span>;
}
