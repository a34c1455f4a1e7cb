import { dayAfter } from '#contract/calendar.ts';
import { chartWeeks, type DiaryChart } from '#contract/diary/entry.ts';
import { dayAndMonth } from '#web/components/date-and-time.ts';
import styles from './words-chart.module.css';

/** The chart has a row for each of the most frequent words, and one for all the others. */
const mostWords = 12;
const cell = 20;
const [smallest, largest] = [3, 9];

/** How often each word was noted in each week: a drawing, and a table with the same numbers. */
export function WordsChart({ chart: { from, words } }: { chart: DiaryChart }) {
  if (words.length === 0) return null;
  const rows = chartRows(words);
  const most = Math.max(...rows.flatMap(({ weeks }) => weeks));
  // The area of a dot grows with the number.
  const radius = (count: number) =>
    smallest + (largest - smallest) * Math.sqrt((count - 1) / Math.max(1, most - 1));
  const mondays = Array.from({ length: chartWeeks }, (_, week) => dayAfter(from, 7 * week));
  return (
    <section className={styles.chart} aria-labelledby="palavras">
      <h2 id="palavras">Suas palavras, semana a semana</h2>
      <p className={styles.note}>
        Cada ponto é uma semana com a palavra. Quanto maior, mais anotações. Semana sem nada fica em branco.
      </p>
      <div className={styles.rows} aria-hidden="true">
        {rows.map(({ word, weeks }) => (
          <div key={word} className={styles.row}>
            <span className={styles.word}>{word}</span>
            <svg viewBox={`0 0 ${cell * chartWeeks} ${cell}`} aria-hidden="true">
              <path d={`M0 ${cell / 2}H${cell * chartWeeks}`} />
              {weeks.map((count, week) =>
                count === 0 ? null : (
                  <circle key={mondays[week]} cx={cell * (week + 0.5)} cy={cell / 2} r={radius(count)} />
                ),
              )}
            </svg>
          </div>
        ))}
        <p className={styles.ends}>
          <span>{`semana de ${dayAndMonth(from)}`}</span>
          <span>esta semana</span>
        </p>
      </div>
      <details className={styles.numbers}>
        <summary>Ver em números</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls a wide table. */}
        <section className={styles.scroll} aria-label="Palavras por semana, em números" tabIndex={0}>
          <table>
            <caption className="visually-hidden">Número de anotações com cada palavra, por semana</caption>
            <thead>
              <tr>
                <th scope="col">Palavra</th>
                {mondays.map((monday) => (
                  <th key={monday} scope="col">
                    <span className="visually-hidden">semana de </span>
                    <span>{dayAndMonth(monday)}</span>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ word, weeks }) => (
                <tr key={word}>
                  <th scope="row">{word}</th>
                  {weeks.map((count, week) => (
                    <td key={mondays[week]}>{count}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </section>
  );
}

type Words = DiaryChart['words'];

/** Sorts the words by frequency, and adds up the rare ones in one row. */
function chartRows(words: Words): Words {
  const total = ({ weeks }: Words[number]) => weeks.reduce((sum, count) => sum + count, 0);
  const sorted = [...words].sort(
    (one, other) => total(other) - total(one) || one.word.localeCompare(other.word, 'pt-BR'),
  );
  if (sorted.length <= mostWords) return sorted;
  const rest = sorted.splice(mostWords - 1);
  const sum = (week: number) => rest.reduce((count, { weeks }) => count + (weeks[week] ?? 0), 0);
  return [
    ...sorted,
    { word: 'outras palavras', weeks: Array.from({ length: chartWeeks }, (_, week) => sum(week)) },
  ];
}
