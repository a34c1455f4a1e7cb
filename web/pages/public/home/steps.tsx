import type { HomeTexts } from '#contract/site/content.ts';
import { Hexaflex } from '#web/components/art/hexaflex.tsx';
import styles from './steps.module.css';

/** The steps of the first consultation; each step lights one more petal. */
export function Steps({ texts }: { texts: HomeTexts['steps'] }) {
  const { title, lead, items } = texts;
  return (
    <section className={styles.steps} aria-labelledby="passos">
      <div className={styles.head}>
        <h2 id="passos">{title}</h2>
        <p>{lead}</p>
      </div>
      <div className={styles.path}>
        <svg
          className={styles.curve}
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          aria-hidden="true"
          focusable="false"
        >
          <path d="M3 78C14 78 17 22 28.5 22S42 78 54 78 68 22 79.5 22 93 60 101 62" />
        </svg>
        <ol className={styles.list}>
          {items.map((item, place) => (
            <li key={place} className={styles.step}>
              <Hexaflex lit={place + 1} className={styles.bullet} />
              <h3>{item.title}</h3>
              <p>{item.text}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
