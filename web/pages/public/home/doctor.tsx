import type { HomeTexts } from '#contract/site/content.ts';
import { hasDoctor } from '#contract/site/menu.ts';
import { professionOf, registrationsOf } from '#contract/site/registrations.ts';
import { useContent } from '#web/app/services.ts';
import { Paragraphs } from '../components/paragraphs.tsx';
import { Portrait } from '../components/portrait.tsx';
import styles from './doctor.module.css';

/** Who the doctor is, and what she treats. Renders nothing if the clinic has not written about it. */
export function Doctor({ texts }: { texts: HomeTexts['doctor'] }) {
  const identity = useContent('identity');
  if (!hasDoctor(texts)) return null;
  const { photo, training, way, treats } = texts;
  return (
    <section className={styles.doctor} id="quem-atende" aria-labelledby="quem-atende-titulo">
      <div className={styles.who}>
        <h2 id="quem-atende-titulo">Quem atende</h2>
        {photo.file && (
          <Portrait
            portrait={{ file: photo.file, alt: photo.alt }}
            width={400}
            height={500}
            lazy
            className={styles.photo}
          />
        )}
        <div>
          <h3>{identity.doctorName}</h3>
          <p>{professionOf(identity)}</p>
          <p>{registrationsOf(identity).join(' · ')}</p>
          <p>{identity.places}</p>
        </div>
      </div>
      <div className={styles.texts}>
        <Paragraphs texts={way} />
        {treats.length > 0 && (
          <div>
            <h3>O que eu trato</h3>
            <ul className={styles.treats}>
              {treats.map((line, index) => (
                <li key={index}>{line}</li>
              ))}
            </ul>
          </div>
        )}
        {training.length > 0 && (
          <div>
            <h3>Formação</h3>
            <ul className={styles.training}>
              {training.map(({ name, years }, index) => (
                <li key={index}>
                  <span>{name}</span> {years && <span className={styles.years}>{years}</span>}
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </section>
  );
}
