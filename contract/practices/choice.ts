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

/** The practices that /practices shows. */
export type PracticeChoice = {
  axis: MainAxis;
  /** The maximum length of a practice in minutes; undefined if there is no maximum. */
  minutes: MinutesOffered | undefined;
  order: PracticeOrder;
};

/** Reads the choice from the parameters of a URL. Unknown values count as no choice. */
export function practiceChoiceIn(parameters: URLSearchParams): PracticeChoice {
  return {
    axis: mainAxisNamed(parameters.get('eixo')),
    minutes: minutesOffered.find((minutes) => String(minutes) === parameters.get('tempo')),
    order: practiceOrders.find((order) => orderNames[order] === parameters.get('ordem')) ?? 'clinic',
  };
}

/** The path of /practices with a choice. Default values have no parameter. */
export function practicesPath({ axis = 'mind', minutes, order = 'clinic' }: Partial<PracticeChoice>): string {
  const parameters = new URLSearchParams();
  if (axis !== 'mind') parameters.set('eixo', axis);
  if (minutes !== undefined) parameters.set('tempo', String(minutes));
  if (order !== 'clinic') parameters.set('ordem', orderNames[order]);
  return parameters.size === 0 ? '/practices' : `/practices?${parameters}`;
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
