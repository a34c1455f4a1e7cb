import type { ReactNode } from 'react';
import { mainAxes } from '#contract/axes.ts';
import {
  minutesOffered,
  type PracticeChoice,
  type PracticeOrder,
  practiceOrders,
  practicesPath,
} from '#contract/practices/choice.ts';
import type { PracticesPage } from '#contract/practices/page.ts';
import { Link } from '#web/components/link.tsx';
import { AxisIcon } from '#web/components/practice/practice-icons.tsx';
import { publicAxisNames } from '#web/components/practice/practice-names.ts';
import { wholeNumber } from '#web/components/whole-number.ts';
import styles from './filters.module.css';

const orderNames: Record<PracticeOrder, string> = {
  clinic: 'sugerida',
  shortest: 'mais curtas',
  newest: 'mais novas',
};

/**
 * Links that choose the maximum length of the practices, and their order. The URL contains the choice, so the
 * links work without JavaScript. If no practice has a known length, the visitor cannot choose a length.
 */
export function TimeFilter({
  choice,
  chosen,
  total,
  untimed,
}: { choice: PracticeChoice } & Pick<PracticesPage, 'chosen' | 'total' | 'untimed'>) {
  const pathOf = (next: Partial<PracticeChoice>) => practicesPath({ ...choice, page: 1, ...next });
  return (
    <div className={styles.filter}>
      {untimed < total && (
        <nav className={styles.times} aria-label="Quanto tempo você tem">
          <span aria-hidden="true">Tenho</span>
          <ul>
            {minutesOffered.map((minutes) => (
              <li key={minutes}>
                <Choice to={pathOf({ minutes })} chosen={minutes === choice.minutes}>
                  <span className="visually-hidden">Até </span>
                  <span>{`${minutes} minutos`}</span>
                </Choice>
              </li>
            ))}
            <li>
              <Choice to={pathOf({ minutes: undefined })} chosen={choice.minutes === undefined}>
                Qualquer tempo
              </Choice>
            </li>
          </ul>
        </nav>
      )}
      {total > 1 && (
        <nav className={styles.orders} aria-label="Ordem das práticas">
          <span aria-hidden="true">Ordem</span>
          <ul>
            {practiceOrders.map((order) => (
              <li key={order}>
                <Choice to={pathOf({ order })} chosen={order === choice.order}>
                  {orderNames[order]}
                </Choice>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <p className={styles.count} role="status">
        <span>{countOf(chosen)}</span>
        {choice.minutes !== undefined && (
          <span>{` de até ${choice.minutes} minutos${untimed > 0 ? `; ${withoutTime(untimed)}` : ''}`}</span>
        )}
      </p>
    </div>
  );
}

const countOf = (count: number) => (count === 1 ? '1 prática' : `${wholeNumber(count)} práticas`);

const withoutTime = (count: number) =>
  count === 1 ? '1 sem duração informada fica de fora' : `${count} sem duração informada ficam de fora`;

function Choice({ to, chosen, children }: { to: string; chosen: boolean; children: ReactNode }) {
  return (
    <Link to={to} aria-current={chosen || undefined}>
      {children}
    </Link>
  );
}

/** Links to the four lists of activities. Each list has its own URL, so the links work without JavaScript. */
export function AxisFilter({ choice }: { choice: PracticeChoice }) {
  return (
    <nav className={styles.axisFilterFilter} aria-label="Tipos de prática">
      <ul>
        {mainAxes.map((axis) => (
          <li key={axis} data-axis={axis}>
            <Link
              to={practicesPath({ ...choice, axis, page: 1 })}
              aria-current={axis === choice.axis ? 'page' : undefined}
            >
              <AxisIcon axis={axis} /> <span>{publicAxisNames[axis]}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
