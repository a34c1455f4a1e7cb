import type { GrantedEntry } from '#contract/diary/share.ts';
import { EntryText } from '#web/components/diary/entry-text.tsx';
import { Fold } from '../components/fold.tsx';
import styles from './diary-share.module.css';
import { shortDay } from './sentences.ts';

/** So many entries are shown at first, so that the text of the consent is near. */
const shownEntries = 5;

type EntriesProps = {
  entries: readonly GrantedEntry[];
  /** The titles of public practices, by id. */
  titles: Record<string, string>;
  today: string;
};

/** Shows entries as their clinician will see them, newest first. */
export function GrantedEntries({ entries, ...props }: EntriesProps) {
  const newest = [...entries].reverse();
  return (
    <>
      <Entries {...props} entries={newest.slice(0, shownEntries)} />
      {newest.length > shownEntries && (
        <Fold title={`Ver as outras ${newest.length - shownEntries}`}>
          <Entries {...props} entries={newest.slice(shownEntries)} />
        </Fold>
      )}
    </>
  );
}

const Entries = ({ entries, titles, today }: EntriesProps) => (
  <ul className={styles.entries}>
    {entries.map((entry) => (
      <li key={entry.id}>
        <p className={styles.day}>{shortDay(entry.day, today)}</p>
        <EntryText entry={entry} titles={titles} reader="clinician" />
      </li>
    ))}
  </ul>
);
