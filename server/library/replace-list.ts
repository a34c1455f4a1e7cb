import { sql } from 'kysely';
import { type Activity, type ActivityOrder, isPublic } from '#contract/activity.ts';
import type { ListName } from '#contract/axes.ts';
import type { Database } from '../database/connect.ts';
import { AppError } from '../http/errors.ts';
import { activityColumns } from './activities.ts';
import { invalidatePositions, softDeleteActivities } from './deleted-activities.ts';
import { bumpVersions } from './list-versions.ts';
import type { ListDocument } from './lists.ts';

export type WholeList = {
  list: ListName;
  version: number;
  activities: Activity[];
  /** The user who writes the list; null when a command writes it. */
  editorId: string | null;
};

/**
 * Writes a whole list, to reorder or import it. An unchanged activity keeps its `updatedAt`. A changed one
 * gets a new `updatedAt`, so that a concurrent edit of it gets a 412. Activities that are missing in the new
 * list are soft-deleted, except hidden ones: visitors' lists do not contain them, so a write that is based on
 * such a list must not delete them. A new activity keeps its times, but no time is later than now. Only
 * differences are written.
 * @throws AppError `documents/precondition-failed` when the list is no longer at `version`;
 * `documents/conflict` when an id is used twice or belongs to another list
 */
export async function replaceList(database: Database, given: WholeList): Promise<ListDocument> {
  return database.transaction().execute((transaction) => replaceListIn(transaction, given));
}

/** Like `replaceList`, in a transaction of the caller. */
export async function replaceListIn(
  transaction: Database,
  { list, version, activities, editorId }: WholeList,
): Promise<ListDocument> {
  const ids = new Set(activities.map(({ id }) => id));
  if (ids.size < activities.length) throw new AppError('documents/conflict');
  const [bumped] = await bumpVersions(transaction, [list]);
  if (bumped?.version !== version + 1) throw new AppError('documents/precondition-failed');

  const rows = await readRows(transaction, list);
  const stored = new Map(rows.map((row) => [row.id, row]));
  await refuseForeignIds(
    transaction,
    [...ids].filter((id) => !stored.has(id)),
  );
  // Deletes from last to first. The predecessor of each activity then still exists when
  // `softDeleteActivities` saves the predecessor's id.
  const leftOut = rows.filter((row) => !ids.has(row.id) && isPublic(row)).map(({ id }) => id);
  await softDeleteActivities(transaction, { list, ids: leftOut.toReversed(), deletedBy: editorId });
  await invalidatePositions(transaction, list);

  const now = Date.now();
  const given = activities.map((one) => withStoredFacts(one, stored.get(one.id), now));
  const next = withHidden(given, rows, ids);
  const kept = rows.filter((row) => ids.has(row.id) || !isPublic(row));
  const positions = await place(transaction, list, { stored: kept, next: next.map(({ id }) => id) });
  for (const { id, ...columns } of next) {
    const before = stored.get(id);
    if (before && before.updatedAt !== columns.updatedAt)
      await transaction
        .updateTable('activities')
        .set({ ...columns, updatedBy: editorId })
        .where('id', '=', id)
        .execute();
  }
  for (const some of chunks(
    next.filter(({ id }) => !stored.has(id)),
    rowsPerInsert,
  ))
    await transaction
      .insertInto('activities')
      .values(
        some.map((one) => ({ ...one, list, position: positions.get(one.id) ?? 0, updatedBy: editorId })),
      )
      .execute();
  return { version: bumped.version, activities: next };
}

/**
 * Moves the activities of a list to a new order. Only those whose place changes are written, and none gets a
 * new `updatedAt`.
 * @throws AppError `documents/precondition-failed` when the list no longer has the order `from`;
 * `request/invalid` when `to` has other ids than `from`
 */
export async function reorderList(
  database: Database,
  list: ListName,
  { from, to }: ActivityOrder,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await bumpVersions(transaction, [list]);
    const rows = await transaction
      .selectFrom('activities')
      .select(['id', 'position'])
      .where('list', '=', list)
      .orderBy('position')
      .execute();
    if (rows.length !== from.length || rows.some(({ id }, index) => id !== from[index]))
      throw new AppError('documents/precondition-failed');
    const given = new Set(to);
    if (to.length !== from.length || from.some((id) => !given.has(id)))
      throw new AppError('request/invalid', {
        issues: [{ path: 'to', message: 'A nova ordem precisa ter as mesmas práticas.' }],
      });
    await invalidatePositions(transaction, list);
    await place(transaction, list, { stored: rows, next: to });
  });
}

// Both databases limit the parameters of a statement (SQLite: 32,766). An inserted row has one parameter for
// each column, and a moved activity has two.
const rowsPerInsert = 500;
const movesPerUpdate = 2_000;
const idsPerQuery = 5_000;

type Row = Activity & { position: number };

async function readRows(transaction: Database, list: ListName): Promise<Row[]> {
  return transaction
    .selectFrom('activities')
    .select([...activityColumns, 'position'])
    .where('list', '=', list)
    .orderBy('position')
    .execute();
}

/**
 * Gives the positions of the stored activities to the activities of `next`, in the new order. New activities
 * take positions at the end of the list. Writes only the stored activities whose position changes.
 * @param stored the activities that the list has, in its order
 * @param next the ids in the new order; some may not be stored yet
 * @returns the position of each activity of `next`
 */
async function place(
  transaction: Database,
  list: ListName,
  { stored, next }: { stored: readonly Pick<Row, 'id' | 'position'>[]; next: readonly string[] },
): Promise<ReadonlyMap<string, number>> {
  const added = next.length - stored.length;
  const { lastPosition } = await transaction
    .updateTable('activityLists')
    .set((row) => ({ lastPosition: row('lastPosition', '+', added) }))
    .where('name', '=', list)
    .returning('lastPosition')
    .executeTakeFirstOrThrow();
  const firstNew = Number(lastPosition) - added + 1;
  const positions = new Map(
    next.map((id, index) => [id, stored[index]?.position ?? firstNew + index - stored.length]),
  );
  const moved = stored.flatMap(({ id, position }) => {
    const to = positions.get(id) ?? position;
    return to === position ? [] : [[id, to] as const];
  });
  for (const some of chunks(moved, movesPerUpdate)) {
    const values = sql.join(some.map(([id, position]) => sql`(${id}, ${String(position)})`));
    // Both databases name the columns of a VALUES list `column1`, `column2`.
    await sql`
      update activities set position = cast(moves.column2 as bigint)
      from (values ${values}) as moves where activities.id = moves.column1
    `.execute(transaction);
  }
  return positions;
}

async function refuseForeignIds(transaction: Database, ids: string[]): Promise<void> {
  for (const some of chunks(ids, idsPerQuery)) {
    const foreign = await transaction
      .selectFrom('activities')
      .select('id')
      .where('id', 'in', some)
      .limit(1)
      .executeTakeFirst();
    if (foreign) throw new AppError('documents/conflict');
  }
}

/** The columns that only the server sets. */
const ownColumns = new Set<keyof Activity>(['createdAt', 'updatedAt', 'audioSeconds']);

function withStoredFacts(given: Activity, stored: Activity | undefined, now: number): Activity {
  if (!stored)
    return {
      ...given,
      createdAt: Math.min(given.createdAt, now),
      updatedAt: Math.min(given.updatedAt, now),
      audioSeconds: null,
    };
  const changed = activityColumns.some(
    (column) => !ownColumns.has(column) && given[column] !== stored[column],
  );
  return {
    ...given,
    createdAt: stored.createdAt,
    updatedAt: changed ? Math.max(now, stored.updatedAt + 1) : stored.updatedAt,
    audioSeconds: given.audio === stored.audio ? stored.audioSeconds : null,
  };
}

/**
 * Adds the stored hidden activities that are missing in `given`. Each one comes after the last activity
 * before it in `rows` whose id is in `ids`.
 */
function withHidden(given: Activity[], rows: Row[], ids: ReadonlySet<string>): Activity[] {
  const followers = new Map<string, Activity[]>();
  let previousId = '';
  for (const { position: _, ...row } of rows) {
    if (ids.has(row.id)) previousId = row.id;
    else if (!isPublic(row)) {
      const known = followers.get(previousId);
      if (known) known.push(row);
      else followers.set(previousId, [row]);
    }
  }
  const after = (id: string) => followers.get(id) ?? [];
  return [...after(''), ...given.flatMap((one) => [one, ...after(one.id)])];
}

function* chunks<Item>(items: Item[], size: number): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
