import * as z from 'zod/mini';
import type { ReadList } from '#client/library.ts';
import { type Activity, activityInput } from '#contract/activity.ts';
import { type Axis, axes, type ListName, listOf } from '#contract/axes.ts';
import { isOwnUrl, ownUrlPath } from '#contract/practices/path.ts';
import { foldForSearch } from '#contract/text.ts';
import { videoIdOf } from '#contract/video.ts';
import { axisNames, publicAxisNames } from '#web/components/practice/practice-names.ts';
import { type ActivityField, fieldLabels } from '../components/activity/activity-values.ts';
import { type Column, columns, type Table, type TableRow, trimLines } from './read-table.ts';

/** A row of the table, and what the import does with it. */
export type PlannedRow = Pick<TableRow, 'line' | 'title' | 'content'> & {
  cells: TableRow;
  axis: Axis | undefined;
} & (
    | { kind: 'new' | 'same'; video: RowVideo }
    | { kind: 'changed'; changes: ActivityField[]; video: RowVideo }
    | {
        kind: 'problem';
        reason: string;
        /** The cell that the user can correct; undefined if the row could not be split into cells. */
        column: Column | undefined;
      }
  );

/** Whether the practice of a row has a video; `otherLink` if its link leads elsewhere. */
type RowVideo = 'video' | 'otherLink' | 'none';

/** A write that replaces a whole list. It is based on the version of the list with this `tag`. */
export type ListWrite = { list: ListName; activities: Activity[]; tag: string };

export type ImportPlan = {
  rows: PlannedRow[];
  /** What the rows without a problem change; empty if quotation marks let cells be read wrong. */
  writes: ListWrite[];
  /** The lists to which the rows without a problem belong. */
  lists: ListName[];
};

export type Lists = Record<ListName, ReadList>;

type ImportOptions = {
  /** The axis for rows that name no axis. */
  axis: Axis | undefined;
  visibility: Activity['visibility'];
  /** Scheme and host of the site. */
  origin: string;
  /** The lists as they are now. */
  lists: Lists;
};

/** Finds an axis by its id or by one of its names on screen; `undefined` if no axis fits. */
export function axisNamed(text: string): Axis | undefined {
  const wanted = foldForSearch(text);
  return axes.find((axis) =>
    [axis, publicAxisNames[axis], axisNames[axis]].some((name) => foldForSearch(name) === wanted),
  );
}

const axisOf = ({ axis }: TableRow, chosen: Axis | undefined) => (axis === '' ? chosen : axisNamed(axis));

/**
 * Compares the rows of a table with the lists. If the list of a row has an activity with the same title
 * (whatever its case, accents, apostrophes, dashes and spaces), the row changes that activity; otherwise it
 * adds a new one. In each list, the activities from the table come first, in the order of the rows. The other
 * activities follow in their old order.
 */
export function planImport({ rows: table, misread }: Table, options: ImportOptions): ImportPlan {
  const { lists } = options;
  const now = Date.now();
  const titles = new Map<string, number>();
  const next = new Map<ListName, Activity[]>();

  const rows = table.map((row): PlannedRow => {
    const { line, title, content } = row;
    const axis = axisOf(row, options.axis);
    const shown = { line, title, content, cells: row, axis };
    const problem = (column: Column | undefined, reason: string) =>
      ({ ...shown, kind: 'problem', column, reason }) as const;
    if (row.problem) return problem(undefined, row.problem);
    if (!axis) return problem('axis', `Nenhum eixo se chama “${row.axis}”.`);
    if (!title) return problem('title', 'Falta o título.');
    if (!content) return problem('content', 'Falta o texto.');

    const list = listOf(axis);
    const key = `${list} ${foldForSearch(title)}`;
    const twin = titles.get(key);
    if (twin !== undefined) return problem('title', `O mesmo título está na linha ${twin}.`);
    titles.set(key, line);
    const [known, ...more] = lists[list].activities.filter(
      (one) => foldForSearch(one.title) === foldForSearch(title),
    );
    if (more.length > 0)
      return problem('title', 'Duas práticas da lista têm este título. Mude uma delas pela edição.');

    const id = known?.id ?? newId(now);
    const input = z.safeParse(activityInput, {
      ...(known
        ? inputOf(known)
        : { visibility: options.visibility, url: `${options.origin}${ownUrlPath}/${id}` }),
      title,
      content: known && trimLines(known.content) === content ? known.content : content,
      // One list can hold several axes. If the row names no axis, an activity that is already in the list
      // keeps its own axis.
      ...(row.axis !== '' || !known ? { axis } : {}),
      ...(row.url !== '' && { url: row.url }),
      ...(row.minutes !== '' && { minutes: Number(row.minutes) }),
    });
    if (!input.success) {
      const [issue] = input.error.issues;
      const field = String(issue?.path[0]) as ActivityField;
      const label = field === 'content' ? 'Texto' : fieldLabels[field];
      return problem(
        columns.find((column) => column === field),
        `${label}: ${issue?.message ?? ''}`,
      );
    }

    const before = known ?? { id, createdAt: now, updatedAt: now, audioSeconds: null };
    const changes = known ? fields.filter((field) => known[field] !== input.data[field]) : [];
    next.set(list, [...(next.get(list) ?? []), { ...before, ...input.data }]);
    const after = { ...before, ...input.data };
    const video = videoIdOf(after.url) ? 'video' : isOwnUrl(after) ? 'none' : 'otherLink';
    const planned = { ...shown, axis: after.axis, video } as const;
    if (!known) return { ...planned, kind: 'new' };
    return changes.length > 0 ? { ...planned, kind: 'changed', changes } : { ...planned, kind: 'same' };
  });

  return {
    rows,
    lists: [...next.keys()],
    writes: misread ? [] : [...next].flatMap(([list, first]) => writeOf(list, first, lists[list])),
  };
}

const fields = Object.keys(activityInput.shape) as ActivityField[];

const inputOf = (activity: Activity) => Object.fromEntries(fields.map((field) => [field, activity[field]]));

/** Returns the write that puts `first` before the other activities of a list, or none if nothing changes. */
function writeOf(list: ListName, first: Activity[], read: ReadList): ListWrite[] {
  const ids = new Set(first.map(({ id }) => id));
  const activities = [...first, ...read.activities.filter(({ id }) => !ids.has(id))];
  const isSame =
    activities.length === read.activities.length &&
    activities.every((one, place) => {
      const before = read.activities[place];
      return before?.id === one.id && fields.every((field) => before[field] === one[field]);
    });
  return isSame ? [] : [{ list, activities, tag: read.tag }];
}

/** A random string followed by the time, like the ids that the server creates. */
function newId(now: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  const letters = btoa(String.fromCharCode(...bytes));
  return `${letters.replaceAll('+', '-').replaceAll('/', '_')}${now}`;
}
