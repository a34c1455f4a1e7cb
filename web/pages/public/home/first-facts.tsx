import { professionOf, registrationsOf } from '#contract/site/registrations.ts';
import { useContent } from '#web/app/services-context.ts';
import styles from './first-facts.module.css';

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
