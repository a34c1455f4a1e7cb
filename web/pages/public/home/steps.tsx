import type { HomeTexts } from '#contract/site/content.ts';
import { Hexaflex } from '#web/components/art/hexaflex.tsx';
import { PlainText } from '#web/components/plain-text.tsx';
import styles from './steps.module.css';

/** The maximum number of steps that fit in one row. */
const mostInRow = 4;

/** The one to six steps of the first consultation. The flower of step n has n coloured petals. */
export function Steps({ texts }: { texts: HomeTexts['steps'] }) {
  const { title, lead, items } = texts;
  return (
    <section className={styles.steps} aria-labelledby="passos">
      <div className={styles.head}>
        <h2 id="passos">{title}</h2>
        <p>{lead}</p>
      </div>
      <ol className={styles.list} data-rows={items.length > mostInRow || undefined}>
        {items.map((item, place) => (
          <li key={place} className={styles.step}>
            {/* This line leads to the next step. */}
            <svg
              className={styles.path}
              viewBox="0 0 100 100"
              preserveAspectRatio="none"
              aria-hidden="true"
              focusable="false"
            >
              <path d="M0 78C45 78 55 22 100 22" />
            </svg>
            <Hexaflex lit={place + 1} className={styles.bullet} />
            <h3>{item.title}</h3>
            <PlainText text={item.text} className={styles.words} />
          </li>
        ))}
      </ol>
    </section>
  );
}
