import { mainAxes } from '#contract/axes.ts';
import type { HomeTexts } from '#contract/site/content.ts';
import { professionOf, registrationsOf } from '#contract/site/registrations.ts';
import { useContent } from '#web/app/services.ts';
import type { MuralPlan } from '#web/components/art/draw-mural.ts';
import { Edge, Hexaflex } from '#web/components/art/hexaflex.tsx';
import { Mural } from '#web/components/art/mural.tsx';
import { classNames } from '#web/components/class-names.ts';
import { Link, type LinkProps } from '#web/components/link.tsx';
import { PlainText } from '#web/components/plain-text.tsx';
import { AxisIcon } from '#web/components/practice/practice-icons.tsx';
import { publicAxisNames } from '#web/components/practice/practice-names.ts';
import { Paragraphs } from '../components/paragraphs.tsx';
import { Portrait } from '../components/portrait.tsx';
import styles from './clinic.module.css';
import { ArrowRight } from './home-icons.tsx';

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

/** Shows, below the hero, short answers to visitors' first questions and the clinic's registration data. */
export function FirstFacts({ facts }: { facts: string[] }) {
  return (
    <div className={styles.facts}>
      {facts.length > 0 && (
        <section className={styles.answers} aria-label="Em poucas palavras">
          <ul>
            {facts.map((fact, index) => (
              <li key={index}>{fact}</li>
            ))}
          </ul>
        </section>
      )}
      <Credentials />
    </div>
  );
}

/** The registration data that Brazil's CFM (Federal Council of Medicine) requires on the main page. */
function Credentials() {
  const identity = useContent('identity');
  return (
    <section className={styles.credentials} aria-label="Registro profissional">
      <ul>
        <li>
          <strong>{professionOf(identity)}</strong>
        </li>
        {registrationsOf(identity).map((registration, index) => (
          <li key={index}>{registration}</li>
        ))}
        <li>{identity.places}</li>
      </ul>
    </section>
  );
}

export function Approach({ texts }: { texts: HomeTexts['about'] }) {
  const { title, lead, paragraphs, link, portrait } = texts;
  return (
    <section className={styles.approach} id="abordagem" aria-labelledby="abordagem-titulo">
      <Edge into="mist" />
      <div className={styles.inner}>
        <div className={styles.picture}>
          <Portrait portrait={portrait} width={400} height={500} lazy className={styles.portrait} />
          <Hexaflex className={styles.mark} />
        </div>
        <div className={styles.text}>
          <h2 id="abordagem-titulo">{title}</h2>
          <p className="lead">{lead}</p>
          <Paragraphs texts={paragraphs} />
          <MoreLink to="/about">
            <span>{link}</span> <ArrowRight />
          </MoreLink>
        </div>
      </div>
      <Edge into="paper" />
    </section>
  );
}

/** A link to more text, with an arrow that moves on hover. */
function MoreLink({ className, ...rest }: LinkProps) {
  return <Link className={classNames(styles.more, className)} {...rest} />;
}
