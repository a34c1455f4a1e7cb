import { sql } from 'kysely';
import type { Activity } from '#contract/activity.ts';
import type { ListName } from '#contract/axes.ts';
import type { Database, DatabaseKind } from '../database/connect.ts';
import { activityColumns } from './activities.ts';
import { getListVersion } from './list-versions.ts';

/** A list document at one version. */
export type ListDocument = { version: number; activities: Activity[] };

/**
 * Reads the public activities of a list, and the list's version. It reads the version first: if the list
 * changes in between, the entity tag is older than the content, and the next request gets the list again. In
 * the reverse order, clients would keep old content under a new tag.
 */
export async function readPublicList(database: Database, list: ListName): Promise<ListDocument> {
  const version = await getListVersion(database, list);
  const activities = await database
    .selectFrom('activities')
    .select(activityColumns)
    .where('list', '=', list)
    .where('visibility', '=', 'public')
    .orderBy('position')
    .execute();
  return { version, activities };
}

/** A list document, or a part of it, as JSON. */
export type WrittenList = { version: number; json: string; parts: number };

export const writeList = (list: ListName, { version, activities }: ListDocument): WrittenList => ({
  version,
  json: JSON.stringify({ [list]: activities }),
  parts: 1,
});

/** Activities per part. The server needs a few milliseconds for a part of this size. */
export const summariesPerPart = 1_000;

const summaryColumns = activityColumns.filter((column) => column !== 'content');

/**
 * The kinds of parts: `summaries` are activities without their `content`; `namedSummaries` have also the name
 * of the user who saved them last, who can be a patient today; `items` are complete activities.
 */
const kindsOfParts = {
  summaries: { columns: summaryColumns, size: summariesPerPart },
  namedSummaries: { columns: [...summaryColumns, 'editor'], size: summariesPerPart },
  items: { columns: activityColumns, size: 250 },
};

export type PartKind = keyof typeof kindsOfParts;

/**
 * Returns one part of a list, including hidden activities, as JSON. A single statement reads the part and the
 * version of the list. So all parts with the same version together are the complete list. The database writes
 * the JSON, which takes half as long as in Node.
 */
export async function writeListPart(
  database: Database,
  databaseKind: DatabaseKind,
  { list, what, part }: { list: ListName; what: PartKind; part: number },
): Promise<WrittenList> {
  const { columns, size } = kindsOfParts[what];
  const fields = sql.join(columns.flatMap((column) => [sql.lit(column), sql.ref(column)]));
  const array =
    databaseKind === 'postgres'
      ? sql`coalesce(json_agg(json_build_object(${fields})), '[]')::text`
      : sql`json_group_array(json_object(${fields}))`;
  const inOrder = database.selectFrom('activities').where('list', '=', list).orderBy('position');
  // This query uses only the index and does not read the rows before the part.
  const first = inOrder
    .select('position')
    .offset(part * size)
    .limit(1);
  const chosen = inOrder
    .select((row) => [
      ...activityColumns,
      row
        .selectFrom('users')
        .select('displayName')
        .whereRef('users.id', '=', 'activities.updatedBy')
        .as('editor'),
    ])
    .where('position', '>=', first)
    .limit(size);
  const { version, total, activities } = await database
    .selectFrom('activityLists')
    .where('name', '=', list)
    .select((row) => [
      'version',
      row.selectFrom('activities').select(row.fn.countAll().as('count')).where('list', '=', list).as('total'),
      sql<string>`(select ${array} from ${chosen.as('chosen')})`.as('activities'),
    ])
    .executeTakeFirstOrThrow();
  const parts = Math.max(1, Math.ceil(Number(total) / size));
  return { version, json: `{${JSON.stringify(list)}:${activities},"parts":${parts}}`, parts };
}
