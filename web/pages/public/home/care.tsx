import { mainAxes } from '#contract/axes.ts';
import type { HomeTexts } from '#contract/site/content.ts';
import type { MuralPlan } from '#web/components/art/draw-mural.ts';
import { Hexaflex } from '#web/components/art/hexaflex.tsx';
import { Mural } from '#web/components/art/mural.tsx';
import { classNames } from '#web/components/class-names.ts';
import { PlainText } from '#web/components/plain-text.tsx';
import { AxisIcon } from '#web/components/practice/practice-icons.tsx';
import { publicAxisNames } from '#web/components/practice/practice-names.ts';
import styles from './care.module.css';

const wall: MuralPlan = {
  side: 120,
  columns: 5,
  rows: 4,
  seed: 11,
  flowers: [{ column: 3, row: 2, tint: ['clay', 'night', 'night', 'night', 'night', 'night'] }],
  quiet: [
    ['pale', 70],
    ['dim', 30],
  ],
};

/** Cards about what the clinic offers: consultations, medicine, practices and confidentiality. */
export function Care({ texts }: { texts: HomeTexts['care'] }) {
  const { title, consultation, medicine, practices, secrecy } = texts;
  return (
    <section className={styles.care} aria-labelledby="cuidado">
      <h2 className={styles.title} id="cuidado">
        {title}
      </h2>
      <article className={classNames(styles.card, styles.consultation)}>
        <Mural plan={wall} align="xMidYMid" className={styles.wall} />
        <div>
          <h3>{consultation.title}</h3>
          <PlainText text={consultation.text} className={styles.words} />
        </div>
      </article>
      <article className={classNames(styles.card, styles.medicine)}>
        <h3>{medicine.title}</h3>
        <PlainText text={medicine.text} className={styles.words} />
      </article>
      <article className={classNames(styles.card, styles.practices)}>
        <h3>{practices.title}</h3>
        <PlainText text={practices.text} className={styles.words} />
        <ul className={styles.axes}>
          {mainAxes.map((axis) => (
            <li key={axis} data-axis={axis}>
              <AxisIcon axis={axis} /> <span>{publicAxisNames[axis]}</span>
            </li>
          ))}
        </ul>
      </article>
      <article className={classNames(styles.card, styles.secrecy)}>
        <Hexaflex lit={0} className={styles.bloom} />
        <h3>{secrecy.title}</h3>
        <PlainText text={secrecy.text} className={styles.words} />
      </article>
    </section>
  );
}
