import { intensityWords, type SharedEntries } from '#contract/diary/reading.ts';
import { fullDate } from '#web/components/date-and-time.ts';
import { publicAxisNames } from '#web/components/practice/practice-names.ts';
import { EmptyState } from '../components/page-parts.tsx';
import styles from './shared-days.module.css';

type Entry = SharedEntries['entries'][number];

/** The granted parts of entries by day, newest first, as the patient wrote them. */
export function SharedDays({ pages }: { pages: SharedEntries[] }) {
  const entries = pages.flatMap((page) => page.entries);
  const unreadable = pages.flatMap((page) => page.unreadable);
  const titles = new Map(pages.flatMap((page) => Object.entries(page.titles)));
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
                  <EntryParts entry={entry} titles={titles} />
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

function EntryParts({ entry, titles }: { entry: Entry; titles: ReadonlyMap<string, string> }) {
  const { time, words, intensity, note, joined, practices = [], toward } = entry;
  const isBlank = words.length + practices.length === 0 && intensity === null && !note && !toward;
  return (
    <>
      {time !== null && <p className={styles.time}>{time.replace(':', 'h')}</p>}
      {words.length > 0 && <p className={styles.words}>{words.join(' · ')}</p>}
      {intensity !== null && (
        <p>
          <span className={styles.label}>Quanto isso ocupa: </span>
          <span>{intensityWords[intensity - 1]}</span>
        </p>
      )}
      {note && <p className={styles.note}>{note}</p>}
      {joined && <p className={styles.label}>Esta nota junta textos de dois aparelhos.</p>}
      {practices.length > 0 && (
        <p>
          <span className={styles.label}>Práticas: </span>
          <span>{practices.map((id) => titles.get(id) ?? 'uma que saiu da biblioteca').join('; ')}</span>
        </p>
      )}
      {toward && (
        <p>
          <span className={styles.label}>{`Um passo, em ${publicAxisNames[toward.axis]}: `}</span>
          <span>{toward.words}</span>
        </p>
      )}
      {isBlank && <p className={styles.label}>Sem palavras.</p>}
    </>
  );
}
