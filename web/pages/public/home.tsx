import { home } from '#clinic/home.ts';
import { identity } from '#clinic/identity.ts';
import { BookingLink } from '#web/parts/booking-link.tsx';
import { PageTitle } from '#web/parts/page-title.tsx';
import { Approach } from './home/approach.tsx';
import { Care } from './home/care.tsx';
import { Contact } from './home/contact.tsx';
import { Hero } from './home/hero.tsx';
import { Newsletter } from './home/newsletter.tsx';
import { Questions } from './home/questions.tsx';
import { Resources } from './home/resources.tsx';
import { Steps } from './home/steps.tsx';
import styles from './home.module.css';

export function Component() {
  return (
    <>
      <PageTitle title={home.title} description={home.description} />
      <Hero />
      <Credentials />
      <Care />
      <Approach />
      <Steps />
      <Resources />
      <Questions />
      <div className={styles.closing}>
        <Newsletter />
        <Contact />
      </div>
      <aside className={styles.booking} aria-label="Agendamento">
        <BookingLink />
      </aside>
    </>
  );
}

/** What the CFM asks to be on the main page. */
function Credentials() {
  return (
    <section className={styles.credentials} aria-label="Registro profissional">
      <ul>
        <li>
          <strong>{identity.profession}</strong>
        </li>
        <li>{identity.crm}</li>
        <li>{identity.rqe}</li>
        <li>{identity.places}</li>
      </ul>
    </section>
  );
}
