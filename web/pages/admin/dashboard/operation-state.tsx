import { Check, TriangleAlert } from 'lucide-react';
import type { Operation } from '#contract/operation.ts';
import styles from './operation-state.module.css';

/** Tells admins how the backups and the disk are doing, and what needs attention. */
export function OperationState({ lines }: Operation) {
  const isWell = lines.every((line) => line.isWell);
  return (
    <section aria-labelledby="servidor" className={styles.state}>
      <h2 id="servidor">Servidor</h2>
      <ul className={styles.lines}>
        {lines.map(({ subject, text, isWell }) => (
          <li key={subject} className={isWell ? styles.well : styles.bad}>
            {isWell ? <Check aria-hidden="true" /> : <TriangleAlert aria-hidden="true" />}
            <p>
              <strong>{subject}</strong>
              {!isWell && <span> (precisa de cuidado)</span>}
              <br />
              <span>{text}</span>
            </p>
          </li>
        ))}
      </ul>
      {!isWell && <p className={styles.advice}>Se não é você quem cuida do servidor, avise quem cuida.</p>}
    </section>
  );
}
