import { type ReactNode, startTransition, useEffect, useRef, useState } from 'react';
import type { DiaryDays, KeptItem } from '#contract/diary/entry.ts';
import { limits } from '#contract/limits.ts';
import { foldForSearch } from '#contract/text.ts';
import { client } from '#web/app/client.ts';
import { Button } from '#web/components/button.tsx';
import { calendarDay, dayAndWeekday } from '#web/components/date-and-time.ts';
import { EntryText } from '#web/components/diary/entry-text.tsx';
import { intensityNames, stepNames } from '#web/components/diary/names.ts';
import { Link } from '#web/components/link.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import { useAction } from '#web/components/use-action.ts';
import { usePatientUid } from '../components/patient-page.tsx';
import styles from './entry-list.module.css';
import { useDeletions } from './use-deletions.ts';

/**
 * The entries by day, newest first, with a search in all of them.
 * @param gone the ids of entries whose deletion waits on this device
 * @param children what stands between the entries of today and the earlier ones
 */
export function EntryList({
  first,
  gone,
  children,
}: {
  first: DiaryDays;
  gone: readonly string[];
  children: ReactNode;
}) {
  const uid = usePatientUid();
  const [loaded, setLoaded] = useState(first);
  /** How many entries, or results of a search, the user has asked to list. A patient can have thousands. */
  const [listed, setListed] = useState(first.entries.length);
  const [shownFirst, setShownFirst] = useState(first);
  // What has waited on this device has arrived.
  if (first !== shownFirst) {
    setShownFirst(first);
    setLoaded(first);
    setListed(first.entries.length);
  }
  const [search, setSearch] = useState('');
  const { hidden, remove } = useDeletions(gone);
  const more = useAction();
  const list = useRef<HTMLDivElement>(null);
  /** The number of listed entries before older ones were asked for. */
  const readUntil = useRef<number>(undefined);
  const { entries, next, titles } = loaded;

  // The focus goes on where the user was reading.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when entries have arrived.
  useEffect(() => {
    if (readUntil.current === undefined) return;
    list.current?.querySelectorAll('li')[readUntil.current]?.querySelector('a')?.focus();
    readUntil.current = undefined;
  }, [listed]);

  async function load(from: DiaryDays, limit?: number): Promise<DiaryDays> {
    const page = await (await client.diary(uid)).days({ before: from.next, ...(limit && { limit }) });
    return {
      entries: [...from.entries, ...page.entries],
      next: page.next,
      titles: { ...from.titles, ...page.titles },
    };
  }

  /** A search needs all entries, because only the user's device can look into them. */
  const loadAll = () =>
    more.run(async () => {
      for (let all = loaded; all.next !== null; ) {
        all = await load(all, limits.diaryPageMaxItems);
        for (const entry of all.entries) searchText(entry, all.titles);
        const present = all;
        startTransition(() => setLoaded(present));
      }
    });

  const loadMore = () =>
    more.run(async () => {
      readUntil.current = list.current?.querySelectorAll('li').length;
      const count = listed + limits.diaryDaysPageItems;
      if (entries.length < count && next !== null) setLoaded(await load(loaded));
      setListed(count);
    });

  const wanted = foldForSearch(search);
  const kept = entries.filter(({ id }) => !hidden.has(id));
  const found = wanted === '' ? kept : kept.filter((entry) => searchText(entry, titles).includes(wanted));
  const shown = found.slice(0, listed);
  const today = calendarDay();

  const todays = wanted === '' ? shown.filter(({ day }) => day >= today) : [];
  const shared = { titles, onRemove: remove };

  return (
    <>
      {todays.length > 0 && (
        <section className={styles.list} aria-labelledby="hoje">
          <h2 id="hoje">Hoje</h2>
          <Days {...shared} entries={todays} />
        </section>
      )}
      {wanted === '' && children}
      <section className={styles.list} aria-labelledby="anotacoes">
        <div className={styles.line}>
          <h2 id="anotacoes">Anotações</h2>
          <label className={styles.search}>
            <span className="visually-hidden">Procurar nas anotações</span>
            <input
              type="search"
              placeholder="Procurar"
              autoComplete="off"
              onFocus={next === null ? undefined : loadAll}
              onChange={({ target: { value } }) => startTransition(() => setSearch(value))}
            />
          </label>
        </div>
        <p className={styles.found} role="status">
          {wanted !== '' && <span>{resultSentence(found.length, more.pending)}</span>}
        </p>
        <FormMessage {...more.failure} />
        <div ref={list}>
          <Days {...shared} entries={shown.filter((entry) => !todays.includes(entry))} />
        </div>
        {(next !== null || found.length > listed) && (
          <Button variant="quiet" aria-disabled={more.pending || undefined} onClick={loadMore}>
            {more.pending ? 'Carregando…' : 'Mais antigas'}
          </Button>
        )}
      </section>
    </>
  );
}

function Days({
  entries,
  titles,
  onRemove,
}: {
  entries: KeptItem[];
  titles: Record<string, string>;
  /** @param byKeyboard true if the user pressed the button with the keyboard */
  onRemove: (id: string, byKeyboard: boolean) => void;
}) {
  if (entries.length === 0) return null;
  return (
    <div className={styles.days}>
      {byDay(entries).map(([day, ofDay]) => (
        <section key={day} aria-labelledby={`dia-${day}`}>
          <h3 id={`dia-${day}`}>{dayAndWeekday(day)}</h3>
          <ul>
            {ofDay.map((entry) => (
              <li key={entry.id}>
                {'unreadable' in entry ? (
                  <p>Esta anotação não pôde ser aberta. Ela ficou danificada.</p>
                ) : (
                  <EntryText entry={entry} titles={titles} />
                )}
                <p className={styles.actions}>
                  {!('unreadable' in entry) && (
                    <>
                      <Link to={`/diario/novo?id=${entry.id}`}>
                        Editar<span className="visually-hidden">{ofEntry(entry)}</span>
                      </Link>
                      <Link to={`/diario/compartilhar?anotacao=${entry.id}`}>
                        Compartilhar só esta<span className="visually-hidden">{ofEntry(entry)}</span>
                      </Link>
                    </>
                  )}
                  <button
                    type="button"
                    onClick={({ detail, currentTarget }) => {
                      // The focused button disappears, so the focus moves to the main content.
                      currentTarget.closest('main')?.focus();
                      onRemove(entry.id, detail === 0);
                    }}
                  >
                    Apagar<span className="visually-hidden">{ofEntry(entry)}</span>
                  </button>
                </p>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** Names the entry of a button for screen readers. */
const ofEntry = (entry: KeptItem) =>
  ` a anotação de ${dayAndWeekday(entry.day)}${'words' in entry && entry.words[0] ? `: ${entry.words[0]}` : ''}`;

function resultSentence(count: number, isLoading: boolean) {
  if (count === 0) return isLoading ? 'Procurando…' : 'Nada com essas palavras.';
  return count === 1 ? 'Uma anotação.' : `${count} anotações.`;
}

/** The days of entries that are sorted by day. */
function byDay(entries: KeptItem[]): [day: string, entries: KeptItem[]][] {
  const days = new Map<string, KeptItem[]>();
  for (const entry of entries) days.set(entry.day, [...(days.get(entry.day) ?? []), entry]);
  return [...days];
}

/** The texts of entries as a search compares them. Thousands of notes are too slow to fold at a key. */
const folded = new WeakMap<KeptItem, string>();

function searchText(entry: KeptItem, titles: Record<string, string>): string {
  const known = folded.get(entry);
  if (known !== undefined || 'unreadable' in entry) return known ?? '';
  const { words, note, practices, toward, intensity, day } = entry;
  const text = foldForSearch(
    [
      ...[...words, note, ...practices.map((id) => titles[id] ?? ''), dayAndWeekday(day)],
      ...(toward ? [stepNames[toward.axis], toward.words] : []),
      intensity === null ? '' : intensityNames[intensity - 1],
    ].join('\n'),
  );
  folded.set(entry, text);
  return text;
}
