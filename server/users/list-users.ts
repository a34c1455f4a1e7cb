import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type * as z from 'zod/mini';
import { limits } from '#contract/limits.ts';
import { foldForSearch } from '#contract/text.ts';
import type { ListedUser, SortOrder, UserSort, UsersPage, usersSelection } from '#contract/user.ts';
import type { Database, DatabaseKind } from '../database/connect.ts';
import { authTime, epochMs } from '../database/database-time.ts';
import { documentTag } from '../http/send-document.ts';
import { countUsers, type StoredUser, userColumns, userRecordOf } from './users.ts';

/** Which users to list, and in which order. */
export type Selection = z.output<typeof usersSelection>;

/**
 * A search or a filter with many matches first reads at most this many users' search keys, in sort order
 * (about 15 ms). These fill a page of 50 users if at least one user in a thousand matches. Otherwise an index
 * finds the matches.
 */
const keysAlongTheOrder = 50_000;

/**
 * Lists one page of users, with the total.
 *
 * A search or a filter has two strategies. If few users match, it finds all of them with an index and sorts
 * them. If many match, it reads users in sort order and keeps those that match; the more users match, the
 * sooner the page is full. The number of matches, which is counted only up to a limit, decides which strategy
 * is used (decision 14).
 * @param place the position after which the page starts, from `next` of the previous page
 */
export async function listUsers(
  database: Database,
  kind: DatabaseKind,
  { place, limit, ...selection }: Selection & { place?: Place | undefined; limit: number },
): Promise<ListedUsers> {
  const { sort, order } = selection;
  const wanted = await findWanted(database, kind, selection);
  const page = { sort, order, place, limit: limit + 1 };

  if (wanted === undefined) {
    const total = await countUsers(database);
    const rows = await readAlongTheOrder(database, kind, page);
    return pageOf(rows, { limit, total, totalIsExact: true, countedIds: [] });
  }
  const counted = await countFound(database, wanted.from, limits.countedUsers + 1);
  const totalIsExact = counted <= limits.countedUsers;
  let rows: Row[] = [];
  if (!totalIsExact) {
    rows = await readAlongTheOrder(database, kind, { ...page, wanted, keys: keysAlongTheOrder });
  }
  if (rows.length <= limit && counted > 0) rows = await readFound(database, kind, wanted, page);
  const isShownWhole = counted <= Math.min(rows.length, limit);
  return pageOf(rows, {
    limit,
    total: Math.min(counted, limits.countedUsers),
    totalIsExact,
    countedIds: isShownWhole || counted > limits.pageMaxItems ? [] : await readFoundIds(database, wanted),
  });
}

/** Yields all users of a selection, page by page. */
export async function* eachUserPage(
  database: Database,
  kind: DatabaseKind,
  { limit, ...selection }: Selection & { limit: number },
): AsyncGenerator<FoundUser[]> {
  let place: Place | undefined;
  do {
    const page = await listUsers(database, kind, { ...selection, place, limit });
    if (page.documents.length > 0) yield page.documents;
    place = page.next;
  } while (place);
}

type Row = StoredUser & {
  createdAt: unknown;
  lastSeenOn: string | null;
  emailVerified: boolean | number;
  place: string | number;
};
/** The position after which a page starts: the sort value and the id of the user before it. */
export type Place = [value: string | number, id: string];

/** A listed user, without what depends on the settings. */
export type FoundUser = Omit<ListedUser, 'canBeVerified'>;

export type ListedUsers = Omit<UsersPage, 'next' | 'documents'> & {
  documents: FoundUser[];
  next: Place | undefined;
  /**
   * The ids of all users that the total of a search counts; empty if the page shows them all, or if there are
   * more than the largest page holds. The access log needs them, because a total can reveal that an email
   * address has an account, even if the page does not show that user.
   */
  countedIds: string[];
};

type Page = { sort: UserSort; order: SortOrder; place: Place | undefined; limit: number };

function pageOf(
  rows: Row[],
  { limit, ...found }: { limit: number } & Pick<ListedUsers, 'total' | 'totalIsExact' | 'countedIds'>,
): ListedUsers {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    documents: rows.slice(0, limit).map(listedUserOf),
    next: last ? [last.place, last.id] : undefined,
    ...found,
  };
}

function listedUserOf(row: Row): FoundUser {
  const record = userRecordOf(row);
  return {
    ...record,
    createdAt: epochMs(row.createdAt),
    lastSeenOn: row.lastSeenOn,
    emailVerified: Boolean(row.emailVerified),
    tag: documentTag(record),
  };
}

/** Reads the next rows in order. With `wanted`, returns only the matches among the next `keys` rows. */
function readAlongTheOrder(
  database: Database,
  kind: DatabaseKind,
  { wanted, keys, ...page }: Page & { wanted?: WantedUsers; keys?: number },
): Promise<Row[]> {
  const along = sql`
    select entries.id, entries."searchKey", ${orderBy(kind, page)} as "orderedBy" from users as entries
    where ${afterPlace(kind, page)}
    order by ${inOrder(kind, page)} limit ${keys ?? page.limit}`;
  const ids = sql`
    select id, "orderedBy" from (${along}) as along
    where ${wanted ? wanted.matches : every([])} limit ${page.limit}`;
  return readRows(database, kind, ids, page);
}

/** Finds all matches with an index, sorts them, and reads the rows of one page. */
function readFound(
  database: Database,
  kind: DatabaseKind,
  { from }: WantedUsers,
  page: Page,
): Promise<Row[]> {
  const ids = sql`
    select entries.id, ${orderBy(kind, page)} as "orderedBy" from ${from}
    and ${afterPlace(kind, page)}
    order by ${inOrder(kind, page)} limit ${page.limit}`;
  return readRows(database, kind, ids, page);
}

async function readFoundIds(database: Database, { from }: WantedUsers): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select entries.id from ${from} limit ${limits.pageMaxItems}`.execute(database);
  return rows.map(({ id }) => id);
}

/** Reads the rows of these ids, in the same order. */
async function readRows(
  database: Database,
  kind: DatabaseKind,
  ids: RawBuilder<unknown>,
  { sort, order }: Page,
): Promise<Row[]> {
  const columns = sql.join(
    [...userColumns, 'createdAt', 'lastSeenOn', 'emailVerified'].map((column) => sql.ref(`users.${column}`)),
  );
  const { rows } = await sql<Row>`
    select ${columns}, ${placeOf(kind, sort)} as place
    from (${ids}) as page join users on users.id = page.id
    order by "orderedBy" ${sql.raw(order)}, users.id ${sql.raw(order)}`.execute(database);
  return rows;
}

/** Counts the matches, up to `most`. */
async function countFound(database: Database, from: WantedUsers['from'], most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select 1 from ${from} limit ${most}) as matched`.execute(database);
  return Number(rows[0]?.count ?? 0);
}

type WantedUsers = {
  /** SQL: the tables and the condition that find all matches with an index. The caller can append `and …`. */
  from: RawBuilder<unknown>;
  /** SQL: the condition for one row with an `id` and a `searchKey`. */
  matches: RawBuilder<SqlBool>;
};

/** Converts the search and the filters to SQL. @returns undefined when all users match */
async function findWanted(
  database: Database,
  kind: DatabaseKind,
  { search = '', role, verified, since }: Selection,
): Promise<WantedUsers | undefined> {
  const words = wordsOf(search);
  const has = words.map((word) => hasWord(kind, word));
  const filtersOf = (users: 'entries' | 'filtered') =>
    [
      role !== undefined && sql<SqlBool>`${sql.ref(`${users}.member`)} = ${role}`,
      verified !== undefined &&
        sql<SqlBool>`${sql.ref(`${users}.emailVerified`)} = ${sql.lit(verified === 'yes')}`,
      since !== undefined && sql<SqlBool>`${sql.ref(`${users}.createdAt`)} >= ${authTime(kind, since)}`,
    ].filter((filter) => filter !== false);
  const filters = filtersOf('filtered');
  if (words.length + filters.length === 0) return undefined;
  const passes = (id: string) =>
    filters.length === 0
      ? []
      : [
          sql<SqlBool>`exists (select 1 from users as filtered
            where filtered.id = ${sql.ref(id)} and ${every(filters)})`,
        ];
  const matches = every([...has, ...passes('along.id')]);
  const passing = sql`users as entries where ${every([...has, ...filtersOf('entries')])}`;
  if (kind === 'postgres') return { from: passing, matches };
  // With the limit, SQLite finds the users by the filter, and does not read all users in sort order.
  if (words.length === 0)
    return { from: sql`(select entries.* from ${passing} limit -1) as entries where 1 = 1`, matches };
  // SQLite cannot tell whether the words or the filters match fewer users. It keeps the order of the tables
  // in a cross join.
  if (filters.length > 0) {
    const filtered = sql`users as filtered where ${every(filters)}`;
    const most = limits.countedUsers + 1;
    if ((await countFound(database, filtered, most)) < most) {
      const few = sql`(select id from ${filtered} limit ${most}) as few`;
      return {
        from: sql`${few} cross join users as entries on entries.id = few.id where ${every(has)}`,
        matches,
      };
    }
  }
  const from = sql`"usersSearch" cross join "userEntries" as entries on number = "usersSearch".rowid
    where "usersSearch" match ${trigramsOf(words)} and ${every([...has, ...passes('entries.id')])}`;
  return { from, matches };
}

/**
 * SQL: true if the search key contains `word`. A `word` of one or two letters matches only at the start of a
 * word.
 */
function hasWord(kind: DatabaseKind, word: string): RawBuilder<SqlBool> {
  const key = sql.ref('searchKey');
  if (kind === 'sqlite') {
    return isShort(word) ? sql`instr(' ' || ${key}, ${` ${word}`}) > 0` : sql`instr(${key}, ${word}) > 0`;
  }
  const pattern = word.replace(/[\\%_]/g, '\\$&');
  const has = isShort(word)
    ? sql<SqlBool>`(${key} like ${`${pattern}%`} or ${key} like ${`% ${pattern}%`})`
    : sql<SqlBool>`${key} like ${`%${pattern}%`}`;
  // A word of symbols has no trigrams. The added condition is true for every match, and it lets PostgreSQL
  // use the index of migration 010.
  return /[a-z0-9]/.test(word) ? has : sql`(${has} and ${key} ~ '(^| )[^a-z0-9 ]|[^a-z0-9 ]{3}')`;
}

const every = (conditions: RawBuilder<SqlBool>[]) =>
  conditions.length > 0 ? sql<SqlBool>`(${sql.join(conditions, sql` and `)})` : sql<SqlBool>`1 = 1`;

const isShort = (word: string) => [...word].length < 3;

function wordsOf(search: string): string[] {
  return [...new Set(foldForSearch(search).split(' '))].filter((word) => word !== '');
}

/**
 * Converts the words to a query for SQLite's index, which requires all their trigrams. A short word gets two
 * spaces in front, as in the index.
 */
function trigramsOf(words: string[]): string {
  const trigrams = words.flatMap((word) => {
    const letters = [...(isShort(word) ? `  ${word}` : word)];
    return letters.slice(2).map((letter, index) => `${letters[index]}${letters[index + 1]}${letter}`);
  });
  return [...new Set(trigrams)].map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ');
}

/** The SQL expression to order by. Both databases order names and email addresses by their bytes. */
function orderBy(kind: DatabaseKind, { sort }: Pick<Page, 'sort'>): RawBuilder<unknown> {
  if (sort === 'createdAt') return sql`entries."createdAt"`;
  if (sort === 'name') return sql`entries."searchKey"`;
  return kind === 'postgres' ? sql`entries.email collate "C"` : sql`entries.email`;
}

function inOrder(kind: DatabaseKind, page: Page): RawBuilder<unknown> {
  const order = sql.raw(page.order);
  return sql`${orderBy(kind, page)} ${order}, entries.id ${order}`;
}

/** The sort value that a cursor contains: for times in PostgreSQL, the microseconds since the epoch. */
function placeOf(kind: DatabaseKind, sort: UserSort): RawBuilder<unknown> {
  return kind === 'postgres' && sort === 'createdAt'
    ? sql`(extract(epoch from "orderedBy") * 1000000)::bigint`
    : sql`"orderedBy"`;
}

function afterPlace(kind: DatabaseKind, page: Page): RawBuilder<SqlBool> {
  if (!page.place) return sql`1 = 1`;
  const [given, id] = page.place;
  const value =
    kind === 'postgres' && page.sort === 'createdAt'
      ? sql`timestamptz 'epoch' + ${given}::double precision * interval '1 microsecond'`
      : sql`${given}`;
  const further = sql.raw(page.order === 'asc' ? '>' : '<');
  return sql`(${orderBy(kind, page)}, entries.id) ${further} (${value}, ${id})`;
}
