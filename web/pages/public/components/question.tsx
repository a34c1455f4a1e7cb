import type { ReactNode } from 'react';
import { ChevronDown } from '#web/components/icons.tsx';
import styles from './question.module.css';

/** A question that shows its answer when the visitor clicks the question. It works without JavaScript. */
export function Question({ question, children }: { question: string; children: ReactNode }) {
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
