import type { ReactNode } from 'react';
import type { HomeTexts, Questions as Questionnaire, SiteContent } from '#contract/site/content.ts';
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

type BelowTheFoldTexts = Pick<SiteContent, 'home' | 'questions'>;

/** All sections of the home page below the hero. One chunk contains the code of all of them. */
export function BelowTheFold({ home, questions }: BelowTheFoldTexts) {
  return (
    <>
      <FirstFacts facts={home.hero.facts} />
      <Care texts={home.care} />
      <Doctor texts={home.doctor} />
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
