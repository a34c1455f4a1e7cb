import { fullDate } from '#contract/calendar.ts';
import type { ShownNote } from '#contract/diary/reading.ts';
import styles from './shown-notes.module.css';

/** The notes for consultations that the patient shows now. */
export function Notes({ notes }: { notes: ShownNote[] }) {
  return notes.map(({ id, day, answers }) => (
    <section key={id} className={styles.consultation} aria-labelledby={`nota-${id}`}>
      <h2 id={`nota-${id}`}>{`Nota para a consulta de ${fullDate(day)}`}</h2>
      {answers ? (
        <dl>
          {answers
            .filter(({ answer }) => answer !== '')
            .map(({ question, answer }) => (
              <div key={question}>
                <dt>{question}</dt>
                <dd>{answer}</dd>
              </div>
            ))}
        </dl>
      ) : (
        <p>Esta nota não pôde ser aberta.</p>
      )}
    </section>
  ));
}
