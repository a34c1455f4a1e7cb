import type { SiteContent } from '#contract/site/content.ts';
import { classNames } from '#web/components/class-names.ts';
import { BookingLink } from '#web/components/layout/contact-links.tsx';
import { Approach } from './approach.tsx';
import styles from './below-the-fold.module.css';
import { Care } from './care.tsx';
import { Contact } from './contact.tsx';
import { Fees } from './fees.tsx';
import { FirstFacts } from './first-facts.tsx';
import { Listen } from './listen.tsx';
import { Newsletter } from './newsletter.tsx';
import { Questions } from './questions.tsx';
import { Resources } from './resources.tsx';
import { Steps } from './steps.tsx';

type BelowTheFoldTexts = Pick<SiteContent, 'home' | 'questions'>;

/** All sections of the home page below the hero. One chunk contains the code of all of them. */
export function BelowTheFold({ home, questions }: BelowTheFoldTexts) {
  return (
    <>
      <FirstFacts facts={home.hero.facts} />
      <Care texts={home.care} />
      <Approach texts={home.about} />
      <Steps texts={home.steps} />
      <Fees texts={home.fees} />
      <Resources texts={home.resources} />
      <Listen texts={home.listen} />
      <Questions texts={home.faq} questions={questions} />
      <div className={styles.closing}>
        <Newsletter texts={home.newsletter} />
        <Contact texts={home.contact} />
      </div>
      <aside className={classNames(styles.booking, 'print-none')} aria-label="Agendamento">
        <BookingLink />
      </aside>
    </>
  );
}
