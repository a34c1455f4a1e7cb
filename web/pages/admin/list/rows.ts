import type { ListedActivity } from '#contract/activity.ts';
import type { Axis, MainAxis } from '#contract/axes.ts';
import type { Move } from '../components/ordering/move.ts';

/** One row of the list page: a group's heading, or an activity with its position in the group. */
export type Row =
  | { kind: 'heading'; key: string; axis: Axis; count: number }
  | { kind: 'card'; key: string; axis: Axis; activity: ListedActivity; place: number; of: number };

/** The axes that form the groups of each list, in page order. A list with one axis has no headings. */
const groupsOf: Record<MainAxis, readonly Axis[]> = {
  mind: ['mind'],
  move: ['move'],
  nutri: ['nutri'],
  values: ['values', 'family', 'career', 'fun'],
};

/** The rows of a list, group by group. Inside a group, the activities keep the order of the list. */
export function rowsOf(list: MainAxis, activities: readonly ListedActivity[]): Row[] {
  const groups = groupsOf[list];
  return groups.flatMap((axis): Row[] => {
    const members = groups.length === 1 ? activities : activities.filter((one) => one.axis === axis);
    if (members.length === 0) return [];
    const cards = members.map((activity, index): Row => {
      return { kind: 'card', key: activity.id, axis, activity, place: index + 1, of: members.length };
    });
    if (groups.length === 1) return cards;
    return [{ kind: 'heading', key: `heading ${axis}`, axis, count: members.length }, ...cards];
  });
}

/**
 * Returns the `Move` that shifts an activity by `steps` positions within its group, and stops at the group's
 * ends. Negative steps shift it towards the start. Returns `undefined` if its position would not change.
 */
export function stepsAway(rows: readonly Row[], id: string, steps: number): Move | undefined {
  const from = rows.find((row) => row.key === id);
  if (from?.kind !== 'card') return undefined;
  const group = rows.filter((row) => row.kind === 'card' && row.axis === from.axis);
  const index = group.indexOf(from);
  const target = Math.max(0, Math.min(group.length - 1, index + steps));
  const beside = group[target];
  if (target === index || !beside) return undefined;
  return { id, beside: beside.key, side: steps < 0 ? 'before' : 'after' };
}

/**
 * Returns the newer list `read`, with some activities that it lacks: those of `before` whose ids are in
 * `kept`. Each added activity follows its old predecessor, or comes first if the predecessor is gone.
 */
export function keeping(
  kept: ReadonlySet<string>,
  before: readonly ListedActivity[],
  read: ListedActivity[],
): ListedActivity[] {
  if (kept.size === 0) return read;
  const next = [...read];
  const known = new Set(read.map(({ id }) => id));
  for (const [index, one] of before.entries()) {
    if (!kept.has(one.id) || known.has(one.id)) continue;
    const previous = before[index - 1];
    next.splice(next.findIndex(({ id }) => id === previous?.id) + 1, 0, one);
  }
  return next;
}
