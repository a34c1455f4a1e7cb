import type { Activity } from '../activity.ts';
import { type MainAxis, mainAxisNamed } from '../axes.ts';
import { roundedMinutes, secondsOf } from './length.ts';

/** The maximum lengths that a visitor can choose, in minutes. */
export const minutesOffered = [3, 10, 20] as const;
export type MinutesOffered = (typeof minutesOffered)[number];

export const practiceOrders = ['clinic', 'shortest', 'newest'] as const;
export type PracticeOrder = (typeof practiceOrders)[number];
/** The values of the URL parameter `ordem`. The clinic's order needs no parameter. */
const orderNames: Record<PracticeOrder, string> = { clinic: '', shortest: 'curtas', newest: 'novas' };

/** The practices that /practices shows. Its number of values is bounded, whatever the URL contains. */
export type PracticeChoice = {
  axis: MainAxis;
  /** The maximum length of a practice in minutes; undefined if there is no maximum. */
  minutes: MinutesOffered | undefined;
  order: PracticeOrder;
  /** The number of the page; 1 is the first one. It can be larger than the number of pages. */
  page: number;
};

/** The largest number of a page that a URL can name. */
const mostPages = 1_000_000;

/** Reads the choice from the parameters of a URL. Unknown values count as no choice. */
export function practiceChoiceIn(parameters: URLSearchParams): PracticeChoice {
  return {
    axis: mainAxisNamed(parameters.get('eixo')),
    minutes: minutesOffered.find((minutes) => String(minutes) === parameters.get('tempo')),
    order: practiceOrders.find((order) => orderNames[order] === parameters.get('ordem')) ?? 'clinic',
    page: pageNumber(parameters.get('pagina')),
  };
}

const pageNumber = (text: string | null) =>
  text !== null && /^[1-9]\d*$/.test(text) ? Math.min(Number(text), mostPages) : 1;

/** The path of /practices with a choice. */
export const practicesPath = (choice: Partial<PracticeChoice>) => `/practices${practicesQuery(choice)}`;

/** The query of a choice with its question mark. Default values have no parameter. */
export function practicesQuery({
  axis = 'mind',
  minutes,
  order = 'clinic',
  page = 1,
}: Partial<PracticeChoice>): string {
  const parameters = new URLSearchParams();
  if (axis !== 'mind') parameters.set('eixo', axis);
  if (minutes !== undefined) parameters.set('tempo', String(minutes));
  if (order !== 'clinic') parameters.set('ordem', orderNames[order]);
  if (page > 1) parameters.set('pagina', String(page));
  const query = parameters.toString();
  return query === '' ? '' : `?${query}`;
}

/** Selects and sorts the practices of a list. An unknown length counts as longer than all others. */
export function choosePractices<Item extends Pick<Activity, 'minutes' | 'audioSeconds' | 'createdAt'>>(
  practices: readonly Item[],
  { minutes, order }: Pick<PracticeChoice, 'minutes' | 'order'>,
): Item[] {
  const lengthOf = (practice: Item) => secondsOf(practice) ?? Number.POSITIVE_INFINITY;
  const chosen =
    minutes === undefined
      ? [...practices]
      : practices.filter((practice) => roundedMinutes(lengthOf(practice)) <= minutes);
  if (order === 'shortest') chosen.sort((one, other) => compare(lengthOf(one), lengthOf(other)));
  if (order === 'newest') chosen.sort((one, other) => other.createdAt - one.createdAt);
  return chosen;
}

/** Tests for equality first, because the difference of two infinities is NaN. */
const compare = (one: number, other: number) => (one === other ? 0 : one - other);
