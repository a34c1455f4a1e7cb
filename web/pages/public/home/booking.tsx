import type { HomeTexts } from '#contract/site/content.ts';
import type { OptionalPicture } from '#contract/site/fields.ts';
import { hasFees } from '#contract/site/menu.ts';
import type { Schedule } from '#contract/site/schedule.ts';
import { useContent } from '#web/app/services.ts';
import { Hexaflex } from '#web/components/art/hexaflex.tsx';
import { Accessibility } from '#web/components/icons.tsx';
import { BookingLink } from '#web/components/layout/contact-links.tsx';
import { PlainText } from '#web/components/plain-text.tsx';
import { useHydrated } from '#web/components/use-hydrated.ts';
import { Paragraphs } from '../components/paragraphs.tsx';
import { Portrait } from '../components/portrait.tsx';
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
  const { title, prices, paragraphs, items } = texts;
  return (
    <section className={styles.fees} id="valores" aria-labelledby="valores-titulo">
      <div className={styles.feesHead}>
        <h2 id="valores-titulo">{title}</h2>
        <Paragraphs texts={paragraphs} />
      </div>
      <ul className={styles.feesList}>
        {prices.map(({ name, duration, price }, index) => (
          <li key={index} className={styles.price}>
            <h3>{name}</h3>
            <strong>{price}</strong>
            {duration && <span>{duration}</span>}
          </li>
        ))}
        {items.map((item, index) => (
          <li key={index}>
            <h3>{item.title}</h3>
            <PlainText text={item.text} className={styles.feesWords} />
          </li>
        ))}
      </ul>
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
          <div>
            <address>
              {identity.address.map((line, index) => (
                <span key={index}>{line}</span>
              ))}
            </address>
            {texts.route && (
              <a href={texts.route} target="_blank" rel="noopener">
                <span>Como chegar</span>
                <span className="visually-hidden"> (abre em outra aba)</span>
              </a>
            )}
          </div>
        </li>
        {texts.access.length > 0 && (
          <li>
            <Accessibility />
            <ul aria-label="Acessibilidade do consultório">
              {texts.access.map((line, index) => (
                <li key={index}>{line}</li>
              ))}
            </ul>
          </li>
        )}
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
      <RoomPhotos pictures={Object.values(texts.photos)} />
    </section>
  );
}

/** Up to three photographs of the room, in one row. */
function RoomPhotos({ pictures }: { pictures: OptionalPicture[] }) {
  const shown = pictures.filter(({ file }) => file);
  if (shown.length === 0) return null;
  return (
    <div className={styles.photos}>
      {shown.map(({ file = '', alt }, index) => (
        <Portrait
          key={index}
          portrait={{ file, alt }}
          width={400}
          height={300}
          lazy
          className={styles.photo}
        />
      ))}
    </div>
  );
}

/** The holidays and vacations of the next weeks. The browser adds them, because they depend on the date. */
function Closures({ schedule }: { schedule: Schedule }) {
  if (!useHydrated()) return null;
  return closuresNear(schedule, new Date()).map((days, index) => (
    <span key={index}>{closedSentence(days)}</span>
  ));
}
