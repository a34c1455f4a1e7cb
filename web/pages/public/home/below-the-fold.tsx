import { Fragment, type ReactNode } from 'react';
import type { HomeTexts, Questions as Questionnaire, SiteContent } from '#contract/site/content.ts';
import { type HomePart, homeParts, orderedParts, shownParts } from '#contract/site/parts.ts';
import { classNames } from '#web/components/class-names.ts';
import { ChevronDown } from '#web/components/icons.tsx';
import { BookingLink } from '#web/components/layout/contact-links.tsx';
import { AudioPlayer } from '#web/components/media/audio-player.tsx';
import { Disclosure } from '../components/disclosure.tsx';
import { Paragraphs } from '../components/paragraphs.tsx';
import styles from './below-the-fold.module.css';
import { Contact, Fees, Steps } from './booking.tsx';
import { Approach, Care, FirstFacts } from './clinic.tsx';
import { Doctor } from './doctor.tsx';
import { Newsletter } from './newsletter.tsx';
import { Resources } from './resources.tsx';

type BelowTheFoldTexts = Pick<SiteContent, 'home' | 'questions' | 'arrangement'>;

/** All sections of the home page below the hero. One chunk contains the code of all of them. */
export function BelowTheFold({ home, questions, arrangement }: BelowTheFoldTexts) {
  const { hidden } = arrangement.home;
  const shown = shownParts(arrangement.home, homeParts);
  const newsletterIsLast = shown.at(-1) === 'newsletter';
  const parts: Record<HomePart, ReactNode> = {
    care: <Care texts={home.care} />,
    doctor: <Doctor texts={home.doctor} />,
    about: <Approach texts={home.about} />,
    steps: <Steps texts={home.steps} />,
    fees: <Fees texts={home.fees} />,
    resources: <Resources texts={home.resources} />,
    listen: <Listen texts={home.listen} />,
    faq: <Questions texts={home.faq} questions={questions} />,
    newsletter: !newsletterIsLast && (
      <div className={styles.closing}>
        <Newsletter texts={home.newsletter} />
      </div>
    ),
  };
  return (
    <>
      <FirstFacts facts={home.hero.facts} />
      {/* The phone numbers for a crisis stay where the hidden links are. */}
      {orderedParts(arrangement.home, homeParts).map(
        (part) =>
          (part === 'resources' || !hidden.includes(part)) && <Fragment key={part}>{parts[part]}</Fragment>,
      )}
      <div className={styles.closing} data-pair={newsletterIsLast || undefined}>
        {newsletterIsLast && <Newsletter texts={home.newsletter} />}
        <Contact texts={home.contact} />
      </div>
      <aside className={classNames(styles.booking, 'print-none')} aria-label="Agendamento">
        <BookingLink />
      </aside>
    </>
  );
}

function Questions({ texts, questions }: { texts: HomeTexts['faq']; questions: Questionnaire }) {
  return (
    <section className={styles.questions} id="perguntas" aria-labelledby="perguntas-titulo">
      <div className={styles.head}>
        <h2 id="perguntas-titulo">{texts.title}</h2>
        <p>
          <span>{texts.lead}</span> <a href="#contato">{texts.link}</a>.
        </p>
      </div>
      <div>
        {questions.map(({ question, answer }, index) => (
          <Question key={index} question={question}>
            <Paragraphs texts={answer} />
          </Question>
        ))}
      </div>
    </section>
  );
}

/** A question that shows its answer when the visitor clicks the question. It works without JavaScript. */
function Question({ question, children }: { question: string; children: ReactNode }) {
  return (
    <details className={styles.question}>
      <summary>
        <h3>{question}</h3>
        <ChevronDown />
      </summary>
      <div className={styles.answer}>{children}</div>
    </details>
  );
}

/** A short audio track, and its text for visitors who cannot or do not want to listen. */
function Listen({ texts: { title, text, audio, reading } }: { texts: HomeTexts['listen'] }) {
  return (
    <section className={styles.listen} aria-labelledby="ouvir">
      <div className={styles.inner}>
        <div className={styles.text}>
          <h2 id="ouvir">{title}</h2>
          <p>{text}</p>
        </div>
        <AudioPlayer src={audio} title={title} />
        <Disclosure summary="Prefiro ler" className={styles.transcript}>
          <Paragraphs texts={reading} />
        </Disclosure>
      </div>
    </section>
  );
}
