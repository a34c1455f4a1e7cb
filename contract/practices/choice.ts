import type { Activity } from '../activity.ts';
import { type MainAxis, mainAxes } from '../axes.ts';
import { limits } from '../limits.ts';
import { roundedMinutes } from './length.ts';
import type { Need } from './needs.ts';

/** The maximum lengths that a visitor can choose, in minutes. */
export const minutesOffered = [3, 10, 20] as const;
export type MinutesOffered = (typeof minutesOffered)[number];

export const practiceOrders = ['clinic', 'shortest', 'newest'] as const;
export type PracticeOrder = (typeof practiceOrders)[number];
/** The values of the URL parameter `ordem`. The clinic's order needs no parameter. */
const orderNames: Record<PracticeOrder, string> = { clinic: '', shortest: 'curtas', newest: 'novas' };

/** The practices that /practices shows. Without `search`, its number of values is bounded. */
export type PracticeChoice = {
  /** Undefined for the practices of all axes. So are the next two fields if the visitor has not chosen. */
  axis: MainAxis | undefined;
  /** The id of a need of the site content. */
  need: string | undefined;
  /** The maximum length of a practice in minutes. */
  minutes: MinutesOffered | undefined;
  /** The words that the visitor searches for; empty without a search. */
  search: string;
  order: PracticeOrder;
  /** The number of the page; 1 is the first one. It can be larger than the number of pages. */
  page: number;
};

/** The URL parameter with the words of a search. */
export const searchParameter = 'q';

/** The largest number of a page that a URL can name. */
const mostPages = 1_000_000;

/**
 * Reads the choice from the parameters of a URL. Unknown values count as no choice.
 * @param needs the needs of the site content
 */
export function practiceChoiceIn(parameters: URLSearchParams, needs: readonly Need[]): PracticeChoice {
  return {
    axis: mainAxes.find((axis) => axis === parameters.get('eixo')),
    need: needs.find(({ id }) => id === parameters.get('necessidade'))?.id,
    minutes: minutesOffered.find((minutes) => String(minutes) === parameters.get('tempo')),
    search: searchIn(parameters.get(searchParameter) ?? ''),
    order: practiceOrders.find((order) => orderNames[order] === parameters.get('ordem')) ?? 'clinic',
    page: pageNumber(parameters.get('pagina')),
  };
}

/** Cuts a search to its maximum length, and removes control characters and needless spaces. */
export const searchIn = (typed: string): string =>
  typed
    .slice(0, limits.searchMaxLength)
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim();

const pageNumber = (text: string | null) =>
  text !== null && /^[1-9]\d*$/.test(text) ? Math.min(Number(text), mostPages) : 1;

/** True if the visitor has chosen nothing: the page then shows the first of all practices. */
export const isDefaultChoice = (choice: PracticeChoice) => practicesQuery(choice) === '';

/** True if the choice leaves out no practice. */
export const isUnfiltered = (choice: PracticeChoice) =>
  isDefaultChoice({ ...choice, order: 'clinic', page: 1 });

/** The path of /practices with a choice. */
export const practicesPath = (choice: Partial<PracticeChoice>) => `/practices${practicesQuery(choice)}`;

/** The query of a choice with its question mark. Default values have no parameter. */
export function practicesQuery(choice: Partial<PracticeChoice>): string {
  const query = new URLSearchParams(practicesParameters(choice)).toString();
  return query === '' ? '' : `?${query}`;
}

/** The names and values of a choice's parameters. */
export function practicesParameters({
  axis,
  need,
  minutes,
  search = '',
  order = 'clinic',
  page = 1,
}: Partial<PracticeChoice>): [name: string, value: string][] {
  const all: [string, string][] = [
    ['eixo', axis ?? ''],
    ['necessidade', need ?? ''],
    [searchParameter, search],
    ['tempo', String(minutes ?? '')],
    ['ordem', orderNames[order]],
    ['pagina', page > 1 ? String(page) : ''],
  ];
  return all.filter(([, value]) => value !== '');
}

/** Returns the practices for a need; all practices without a need. */
export const practicesForNeed = <Item extends Pick<Activity, 'needs'>>(
  practices: readonly Item[],
  need: string | undefined,
): readonly Item[] =>
  need === undefined ? practices : practices.filter(({ needs }) => ` ${needs} `.includes(` ${need} `));

/** A length in seconds; undefined if unknown. */
type Timed = { seconds: number | undefined };

/** Returns the practices that are not longer than `minutes`. An unknown length counts as longer. */
export const practicesWithin = <Item extends Timed>(
  practices: readonly Item[],
  minutes: MinutesOffered | undefined,
): readonly Item[] =>
  minutes === undefined
    ? practices
    : practices.filter((practice) => roundedMinutes(lengthOf(practice)) <= minutes);

/** Sorts practices, which are in the clinic's order. An unknown length comes last. */
export function sortPractices<Item extends Timed & Pick<Activity, 'createdAt'>>(
  practices: readonly Item[],
  order: PracticeOrder,
): readonly Item[] {
  if (order === 'shortest')
    return [...practices].sort((one, other) => compare(lengthOf(one), lengthOf(other)));
  if (order === 'newest') return [...practices].sort((one, other) => other.createdAt - one.createdAt);
  return practices;
}

const lengthOf = ({ seconds }: Timed) => seconds ?? Number.POSITIVE_INFINITY;

/** Tests for equality first, because the difference of two infinities is NaN. */
const compare = (one: number, other: number) => (one === other ? 0 : one - other);
