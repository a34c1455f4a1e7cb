import type { HomeTexts } from '#contract/site/content.ts';
import { useContent } from '#web/app/services-context.ts';
import { Hexaflex } from '#web/components/art/hexaflex.tsx';
import { BookingLink } from '#web/components/layout/contact-links.tsx';
import styles from './contact.module.css';
import { Clock, Mail, MapPin } from './home-icons.tsx';

export function Contact({ texts }: { texts: HomeTexts['contact'] }) {
  const identity = useContent('identity');
  return (
    <section className={styles.contact} id="contato" aria-labelledby="contato-titulo">
      <Hexaflex lit={0} className={styles.bloom} />
      <div className={styles.write}>
        <h2 id="contato-titulo">{texts.title}</h2>
        <BookingLink size="large" />
      </div>
      <ul className={styles.list}>
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
          <span>{identity.hours}</span>
        </li>
        <li>
          <Mail />
          <a href={`mailto:${identity.email}`}>{identity.email}</a>
        </li>
      </ul>
    </section>
  );
}
