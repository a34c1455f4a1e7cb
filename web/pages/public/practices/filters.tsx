import { type KeyboardEvent, useEffect, useRef } from 'react';
import { mainAxes } from '#contract/axes.ts';
import {
  isUnfiltered,
  minutesOffered,
  type PracticeChoice,
  type PracticeOrder,
  practiceOrders,
  practicesPath,
} from '#contract/practices/choice.ts';
import type { Need } from '#contract/practices/needs.ts';
import type { PracticesPage } from '#contract/practices/page.ts';
import { ChevronDown } from '#web/components/icons.tsx';
import { Link } from '#web/components/link.tsx';
import { publicAxisNames } from '#web/components/practice/practice-names.ts';
import { wholeNumber } from '#web/components/whole-number.ts';
import styles from './filters.module.css';

const orderNames: Record<PracticeOrder, string> = {
  clinic: 'Sugerida',
  shortest: 'Mais curtas',
  newest: 'Mais novas',
};

type FiltersProps = {
  choice: PracticeChoice;
  needs: readonly Need[];
  /** Undefined if the practices could not be loaded. */
  chosen: PracticesPage | undefined;
};

/**
 * The needs as links in a row, and menus for the axis, the length and the order. The URL contains the choice,
 * so everything works without JavaScript.
 */
export function Filters({ choice, needs, chosen }: FiltersProps) {
  const pathOf = (next: Partial<PracticeChoice>) => practicesPath({ ...choice, page: 1, ...next });
  return (
    <div className={styles.filters}>
      {needs.length > 0 && <Needs choice={choice} needs={needs} pathOf={pathOf} />}
      <nav className={styles.row} aria-label="Filtros">
        <FilterMenu
          label="Tipo"
          all="Todos os tipos"
          allPath={pathOf({ axis: undefined })}
          options={mainAxes.map((axis) => ({
            name: publicAxisNames[axis],
            to: pathOf({ axis }),
            chosen: axis === choice.axis,
          }))}
        />
        {/* If no practice has a known length, the visitor cannot choose a length. */}
        {(chosen === undefined || chosen.untimed < chosen.total || choice.minutes !== undefined) && (
          <FilterMenu
            label="Tempo"
            all="Qualquer tempo"
            allPath={pathOf({ minutes: undefined })}
            options={minutesOffered.map((minutes) => ({
              name: `Até ${minutes} minutos`,
              to: pathOf({ minutes }),
              chosen: minutes === choice.minutes,
            }))}
          />
        )}
        <FilterMenu
          label="Ordem"
          all={orderNames.clinic}
          allPath={pathOf({ order: 'clinic' })}
          options={practiceOrders.slice(1).map((order) => ({
            name: orderNames[order],
            to: pathOf({ order }),
            chosen: order === choice.order,
          }))}
        />
        {chosen && <Result choice={choice} {...chosen} endSearch={pathOf({ search: '' })} />}
      </nav>
    </div>
  );
}

/** Links to the practices for each need. On a phone, the row scrolls sideways. */
function Needs({
  choice,
  needs,
  pathOf,
}: Omit<FiltersProps, 'chosen'> & { pathOf: (next: Partial<PracticeChoice>) => string }) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const chip = list.current?.querySelector<HTMLElement>('[aria-current]');
    // Only the row scrolls, never the page.
    if (chip && choice.need) list.current?.scrollTo({ left: chip.offsetLeft - chip.clientWidth });
  }, [choice.need]);
  return (
    <nav aria-label="Para que você precisa">
      <ul ref={list} className={styles.needs}>
        <li>
          <Link
            to={practicesPath({ order: choice.order })}
            aria-current={isUnfiltered(choice) ? 'page' : undefined}
          >
            Todas
          </Link>
        </li>
        {needs.map(({ id, name }) => (
          <li key={id}>
            <Link to={pathOf({ need: id })} aria-current={id === choice.need ? 'page' : undefined}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type Option = { name: string; to: string; chosen: boolean };

/** A button that opens a list of links. While an option is chosen, the button shows its name. */
function FilterMenu({
  label,
  all,
  allPath,
  options,
}: {
  label: string;
  /** The option that filters nothing. */
  all: string;
  allPath: string;
  options: Option[];
}) {
  const menu = useRef<HTMLDetailsElement>(null);
  const chosen = options.find((option) => option.chosen);
  function close() {
    if (!menu.current?.open) return;
    menu.current.open = false;
    menu.current.querySelector('summary')?.focus();
  }
  const closeOnEscape = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') close();
  };
  return (
    <details ref={menu} className={styles.menu} name="filtro" onKeyDown={closeOnEscape}>
      <summary data-chosen={chosen !== undefined || undefined}>
        <span className={chosen && 'visually-hidden'}>{label}</span>
        {chosen && <span className="visually-hidden">: </span>}
        {chosen && <span>{chosen.name}</span>}
        <ChevronDown />
      </summary>
      <ul>
        {[{ name: all, to: allPath, chosen: chosen === undefined }, ...options].map((option) => (
          <li key={option.name}>
            <Link to={option.to} aria-current={option.chosen || undefined} onClick={close}>
              {option.name}
            </Link>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The number of practices, and what the visitor searched for. */
function Result({
  choice: { search, minutes },
  chosen,
  untimed,
  endSearch,
}: { choice: PracticeChoice; endSearch: string } & Pick<PracticesPage, 'chosen' | 'untimed'>) {
  return (
    <p className={styles.result}>
      <span role="status">
        <span>{chosen === 1 ? '1 prática' : `${wholeNumber(chosen)} práticas`}</span>
        {search !== '' && <span>{` com “${search}”`}</span>}
        {minutes !== undefined && (
          <span>{` de até ${minutes} minutos${untimed > 0 ? `; ${withoutTime(untimed)}` : ''}`}</span>
        )}
      </span>{' '}
      {search !== '' && <Link to={endSearch}>Limpar a busca</Link>}
    </p>
  );
}

const withoutTime = (count: number) =>
  count === 1 ? '1 sem duração informada fica de fora' : `${count} sem duração informada ficam de fora`;
