import type { HomeTexts, Questions as Questionnaire } from '#contract/site/content.ts';
import { Question } from '../components/question.tsx';
import styles from './questions.module.css';

export function Questions({ texts, questions }: { texts: HomeTexts['faq']; questions: Questionnaire }) {
  return (
    <section className={styles.questions} id="perguntas" aria-labelledby="perguntas-titulo">
      <div className={styles.head}>
        <h2 id="perguntas-titulo">{texts.title}</h2>
        <p>
          Não achou a sua dúvida? <a href="#contato">Escreva para nós</a>.
        </p>
      </div>
      <div>
        {questions.map(({ question, answer }) => (
          <Question key={question} question={question}>
            {answer.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </Question>
        ))}
      </div>
    </section>
  );
}
