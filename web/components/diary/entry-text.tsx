import type { ReactNode } from 'react';
import type { DiaryFields } from '#contract/diary/entry.ts';
import { practicePath } from '#contract/practices/path.ts';
import { Link } from '#web/components/link.tsx';
import { PlainText } from '#web/components/plain-text.tsx';
import styles from './entry-text.module.css';
import { intensityNames, stepNames } from './names.ts';

/** The parts of an entry that a reader sees. Parts that are missing or empty are left out. */
export type ReadEntry = { [Part in keyof DiaryFields]?: DiaryFields[Part] | undefined };

/**
 * The content of an entry, to read.
 * @param titles the titles of practices by id; a practice without a title is not public any more
 */
export function EntryText({
  entry,
  titles,
  reader = 'patient',
}: {
  entry: ReadEntry;
  titles: Record<string, string>;
  reader?: 'patient' | 'clinician';
}) {
  const { words = [], intensity, note, joined, practices = [], toward, time } = entry;
  return (
    <div className={styles.entry}>
      {(words.length > 0 || time) && (
        <p className={styles.words}>
          {time && <span className={styles.time}>{time.replace(':', 'h')}</span>}
          <strong>{words.join(' · ')}</strong>
        </p>
      )}
      {intensity != null && (
        <Fact name="Ocupou">
          <span>{intensityNames[intensity - 1]}</span>
        </Fact>
      )}
      {note && <PlainText text={note} />}
      {joined && (
        <p className={styles.joined}>
          <span>Esta nota tem textos de dois aparelhos.</span>
          {reader === 'patient' && <span> Junte os dois textos.</span>}
        </p>
      )}
      {practices.length > 0 && (
        <Fact name={practices.length === 1 ? 'Prática' : 'Práticas'}>
          {practices.map((id, place) => (
            <span key={id}>
              {place > 0 && <span>, </span>}
              <PracticeTitle id={id} title={titles[id]} />
            </span>
          ))}
        </Fact>
      )}
      {toward && (
        <Fact name={`Um passo · ${stepNames[toward.axis]}`}>
          <span>{toward.words}</span>
        </Fact>
      )}
    </div>
  );
}

const PracticeTitle = ({ id, title }: { id: string; title: string | undefined }) =>
  title === undefined ? (
    <span>uma prática que saiu da biblioteca</span>
  ) : (
    <Link to={practicePath({ id, title })}>{title}</Link>
  );

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <p className={styles.fact}>
    <span className={styles.name}>{name}</span> {children}
  </p>
);
