import { fullDate } from '#contract/calendar.ts';
import type { SharedEntries } from '#contract/diary/reading.ts';
import { EntryText } from '#web/components/diary/entry-text.tsx';
import { EmptyState } from '../components/page-parts.tsx';
import styles from './shared-days.module.css';

/** The granted parts of entries by day, newest first, as the patient wrote them. */
export function SharedDays({ pages }: { pages: SharedEntries[] }) {
  const entries = pages.flatMap((page) => page.entries);
  const unreadable = pages.flatMap((page) => page.unreadable);
  const titles = Object.assign({}, ...pages.map((page) => page.titles)) as SharedEntries['titles'];
  const days = [...new Set([...entries.map(({ day }) => day), ...unreadable])].sort().reverse();
  if (days.length === 0) return <EmptyState>Não há anotações nos dias compartilhados.</EmptyState>;
  return (
    <section className={styles.days} aria-labelledby="anotacoes">
      <h2 id="anotacoes">Anotações</h2>
      {days.map((day) => (
        <section key={day} className={styles.day} aria-labelledby={`dia-${day}`}>
          <h3 id={`dia-${day}`}>{fullDate(day)}</h3>
          <ul>
            {entries.map((entry) =>
              entry.day === day ? (
                <li key={entry.id}>
                  <EntryText entry={entry} titles={titles} reader="clinician" />
                </li>
              ) : null,
            )}
            {unreadable.includes(day) && <li>Há neste dia uma anotação que não pôde ser aberta.</li>}
          </ul>
        </section>
      ))}
    </section>
  );
}
