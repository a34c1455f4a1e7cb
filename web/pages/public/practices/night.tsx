import { roundedMinutes, secondsOf } from '#contract/practices/length.ts';
import { nightNeeds } from '#contract/practices/night.ts';
import type { NightPractice } from '#contract/practices/page.ts';
import { practicePath } from '#contract/practices/path.ts';
import { CvvLink } from '#web/components/layout/contact-links.tsx';
import { Link } from '#web/components/link.tsx';
import { Moon } from '#web/components/practice/practice-icons.tsx';
import { nightNames } from '#web/components/practice/practice-names.ts';
import styles from './night.module.css';

/** Help for the night: links to practices that the clinic has chosen for each need, and the number of CVV. */
export function Night({ practices }: { practices: readonly NightPractice[] }) {
  return (
    <section className={styles.night} id="noite" aria-labelledby="noite-titulo">
      <h2 className={styles.title} id="noite-titulo">
        <Moon /> Para a noite
      </h2>
      <ul className={styles.needs}>
        {nightNeeds.map((need) => {
          const [first, ...more] = practices.filter(({ night }) => night === need);
          return (
            first && (
              <li key={need}>
                <Link className={styles.need} to={practicePath(first)}>
                  <strong>{nightNames[need]}</strong>
                  <span>{nameOf(first)}</span>
                </Link>
                {more.map((practice) => (
                  <Link key={practice.id} className={styles.other} to={practicePath(practice)}>
                    {`ou ${nameOf(practice)}`}
                  </Link>
                ))}
              </li>
            )
          );
        })}
      </ul>
      <p className={styles.call}>
        Está pesado demais? Ligue <CvvLink />.
      </p>
    </section>
  );
}

/** Formats a practice as `Pouso, 8 min`. */
function nameOf(practice: NightPractice) {
  const seconds = secondsOf(practice);
  return `${practice.title}${seconds === undefined ? '' : `, ${roundedMinutes(seconds)} min`}`;
}
