import { home } from '#clinic/home.ts';
import { questions } from '#clinic/questions.ts';
import { Question } from '#web/parts/question.tsx';
import styles from './questions.module.css';

export function Questions() {
  return (
    <section className={styles.questions} id="perguntas" aria-labelledby="perguntas-titulo">
      <div className={styles.head}>
        <h2 id="perguntas-titulo">{home.faq.title}</h2>
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
