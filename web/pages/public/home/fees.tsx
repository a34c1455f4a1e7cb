import type { HomeTexts } from '#contract/site/content.ts';
import { hasFees } from '#contract/site/fees.ts';
import { PlainText } from '#web/components/plain-text.tsx';
import { Paragraphs } from '../components/paragraphs.tsx';
import styles from './fees.module.css';

/** Explains fees, insurance and payment. Renders nothing if the clinic has not written about them. */
export function Fees({ texts }: { texts: HomeTexts['fees'] }) {
  if (!hasFees(texts)) return null;
  const { title, paragraphs, items } = texts;
  return (
    <section className={styles.fees} id="valores" aria-labelledby="valores-titulo">
      <div className={styles.head}>
        <h2 id="valores-titulo">{title}</h2>
        <Paragraphs texts={paragraphs} />
      </div>
      {items.length > 0 && (
        <ul className={styles.list}>
          {items.map((item, index) => (
            <li key={index}>
              <h3>{item.title}</h3>
              <PlainText text={item.text} className={styles.words} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
