import { useLoaderData } from 'react-router';
import { identity } from '#clinic/identity.ts';
import { loadChunk } from '#web/load-chunk.ts';
import { BookingLink } from '#web/parts/booking-link.tsx';
import { PageTitle } from '#web/parts/page-title.tsx';
import { Approach } from './home/approach.tsx';
import { Care } from './home/care.tsx';
import { Contact } from './home/contact.tsx';
import { Hero } from './home/hero.tsx';
import { Listen } from './home/listen.tsx';
import { Newsletter } from './home/newsletter.tsx';
import { Questions } from './home/questions.tsx';
import { Resources } from './home/resources.tsx';
import { Steps } from './home/steps.tsx';
import styles from './home.module.css';

/**
 * The texts are data: in a finished page they come with the page and their chunk is never asked for.
 */
export async function loader() {
  const [{ home }, { questions }] = await loadChunk('texts/home', () =>
    Promise.all([import('#clinic/home.ts'), import('#clinic/questions.ts')]),
  );
  return { home, questions };
}

export function Component() {
  const { home, questions } = useLoaderData<typeof loader>();
  return (
    <>
      <PageTitle title={home.title} description={home.description} path="/" />
      <Hero texts={home.hero} />
      <Credentials />
      <Care texts={home.care} />
      <Approach texts={home.about} />
      <Steps texts={home.steps} />
      <Resources texts={home.resources} />
      <Listen texts={home.listen} />
      <Questions texts={home.faq} questions={questions} />
      <div className={styles.closing}>
        <Newsletter texts={home.newsletter} />
        <Contact texts={home.contact} />
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
