import type { HomeTexts, Questions as Questionnaire } from '#contract/site/content.ts';
import { Paragraphs } from '../components/paragraphs.tsx';
import { Question } from '../components/question.tsx';
import styles from './questions.module.css';

export function Questions({ texts, questions }: { texts: HomeTexts['faq']; questions: Questionnaire }) {
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
