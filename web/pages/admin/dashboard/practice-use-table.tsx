import { type PracticeTotals, practiceEvents, surelyShownCount } from '#contract/practices/totals.ts';
import { Link } from '#web/components/link.tsx';
import { AxisIcon } from '#web/components/practice/practice-icons.tsx';
import { axisNames } from '#web/components/practice/practice-names.ts';
import { wholeNumber } from '#web/components/whole-number.ts';
import { editPath } from '../components/activity/activity-paths.ts';
import styles from './practice-use-table.module.css';

type Practice = PracticeTotals['practices'][number];

const labels = { opened: 'Aberta', played: 'Tocada', finished: 'Até o fim' };

/**
 * Shows counts as numbers with bars. In a narrow window, the title of a practice is above its counts.
 * The explicit roles keep the table semantics where CSS changes `display`.
 */
export function PracticeUseTable({ caption, practices }: { caption: string; practices: Practice[] }) {
  const most = Math.max(...practices.flatMap((one) => practiceEvents.map((event) => one[event] ?? 0)));
  return (
    <>
      {/* biome-ignore-start lint/a11y/noRedundantRoles: see above. */}
      {/* biome-ignore-start lint/a11y/useSemanticElements: see above. */}
      <table className={styles.table} role="table">
        <caption className="visually-hidden">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader" scope="col">
              Prática
            </th>
            {practiceEvents.map((event) => (
              <th key={event} role="columnheader" scope="col">
                {labels[event]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {practices.map((practice) => (
            <tr key={practice.id} role="row" data-axis={practice.axis ?? undefined}>
              <th role="rowheader" scope="row">
                <Title practice={practice} />
              </th>
              {practiceEvents.map((event) => (
                <td key={event} role="cell">
                  <span className={styles.label}>{labels[event]}</span>
                  <Count count={practice[event]} most={most} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/useSemanticElements: see above. */}
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see above. */}
    </>
  );
}

function Title({ practice: { id, title, axis } }: { practice: Practice }) {
  if (title === null || axis === null) return <span className={styles.deleted}>Prática deletada</span>;
  return (
    <Link to={editPath({ axis, id })} className={styles.title}>
      <AxisIcon axis={axis} />
      <span>
        <span>{title}</span>
        <span className="visually-hidden">{`, ${axisNames[axis]}`}</span>
      </span>
    </Link>
  );
}

/**
 * In percent: the length of the bar of a count that the server does not reveal, and the minimum length of the
 * other bars.
 */
const hiddenLength = 8;
const leastLength = 10;

/** A number and a bar. A count that the server does not reveal has a short dashed bar. */
function Count({ count, most }: { count: number | null; most: number }) {
  return (
    <>
      <span className={count === null ? styles.few : styles.number}>
        {count === null ? `menos de ${surelyShownCount}` : wholeNumber(count)}
      </span>
      <svg className={styles.bar} aria-hidden="true" focusable="false">
        {count === null ? (
          <line className={styles.dashes} x1="0" x2={`${hiddenLength}%`} y1="50%" y2="50%" />
        ) : (
          <rect
            className={styles.length}
            width={`${Math.max((count / most) * 100, leastLength)}%`}
            height="100%"
            rx="3"
          />
        )}
      </svg>
    </>
  );
}
