import type { HomeTexts } from '#contract/site/content.ts';
import { hasFees } from '#contract/site/fees.ts';
import type { Schedule } from '#contract/site/schedule.ts';
import { useContent } from '#web/app/services.ts';
import { Hexaflex } from '#web/components/art/hexaflex.tsx';
import { BookingLink } from '#web/components/layout/contact-links.tsx';
import { PlainText } from '#web/components/plain-text.tsx';
import { useHydrated } from '#web/components/use-hydrated.ts';
import { Paragraphs } from '../components/paragraphs.tsx';
import styles from './booking.module.css';
import { Clock, Mail, MapPin } from './home-icons.tsx';
import { closedSentence, usualHours } from './hours.ts';
import { closuresNear } from './opening.ts';

/** The maximum number of steps that fit in one row. */
const mostInRow = 4;

/** The one to six steps of the first consultation. The flower of step n has n coloured petals. */
export function Steps({ texts }: { texts: HomeTexts['steps'] }) {
  const { title, lead, items } = texts;
  return (
    <section className={styles.steps} aria-labelledby="passos">
      <div className={styles.head}>
        <h2 id="passos">{title}</h2>
        <p>{lead}</p>
      </div>
      <ol className={styles.list} data-rows={items.length > mostInRow || undefined}>
        {items.map((item, place) => (
          <li key={place} className={styles.step}>
            {/* This line leads to the next step. */}
            <svg
              className={styles.path}
              viewBox="0 0 100 100"
              preserveAspectRatio="none"
              aria-hidden="true"
              focusable="false"
            >
              <path d="M0 78C45 78 55 22 100 22" />
            </svg>
            <Hexaflex lit={place + 1} className={styles.bullet} />
            <h3>{item.title}</h3>
            <PlainText text={item.text} className={styles.words} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Explains fees, insurance and payment. Renders nothing if the clinic has not written about them. */
export function Fees({ texts }: { texts: HomeTexts['fees'] }) {
  if (!hasFees(texts)) return null;
  const { title, paragraphs, items } = texts;
  return (
    <section className={styles.fees} id="valores" aria-labelledby="valores-titulo">
      <div className={styles.feesHead}>
        <h2 id="valores-titulo">{title}</h2>
        <Paragraphs texts={paragraphs} />
      </div>
      {items.length > 0 && (
        <ul className={styles.feesList}>
          {items.map((item, index) => (
            <li key={index}>
              <h3>{item.title}</h3>
              <PlainText text={item.text} className={styles.feesWords} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

export function Contact({ texts }: { texts: HomeTexts['contact'] }) {
  const identity = useContent('identity');
  return (
    <section className={styles.contact} id="contato" aria-labelledby="contato-titulo">
      <Hexaflex lit={0} className={styles.bloom} />
      <div className={styles.write}>
        <h2 id="contato-titulo">{texts.title}</h2>
        <BookingLink size="large" />
      </div>
      <ul className={styles.contactList}>
        <li>
          <MapPin />
          <address>
            {identity.address.map((line, index) => (
              <span key={index}>{line}</span>
            ))}
          </address>
        </li>
        <li>
          <Clock />
          <span>
            <span>{usualHours(identity)}</span>
            <Closures schedule={identity.schedule} />
          </span>
        </li>
        <li>
          <Mail />
          <a href={`mailto:${identity.email}`}>{identity.email}</a>
        </li>
      </ul>
    </section>
  );
}

/** The holidays and vacations of the next weeks. The browser adds them, because they depend on the date. */
function Closures({ schedule }: { schedule: Schedule }) {
  if (!useHydrated()) return null;
  return closuresNear(schedule, new Date()).map((days) => (
    <span key={days.from}>{closedSentence(days)}</span>
  ));
}
