import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { limits } from '#contract/limits.ts';
import type { ListedUser, SortOrder, UserSort, UsersPage } from '#contract/user.ts';
import type { Database, DatabaseKind } from '../database/connect.ts';
import { AppError } from '../errors.ts';
import { foldForSearch } from '../search-key.ts';
import { documentTag } from './tags.ts';
import { countUsers, type StoredUser, userColumns, userRecordOf } from './users.ts';

/** Which users, in which order. */
export type Selection = { search?: string | undefined; sort: UserSort; order: SortOrder };

/**
 * How many keys a page is looked for along the order before the index of the search is asked instead: some
 * fifteen milliseconds. A page of 50 fits into it when one person in a thousand is found, wherever they stand.
 */
const keysAlongTheOrder = 50_000;

/**
 * One page of users, and how many are meant in all.
 *
 * A search has two ways to its page. Few people found: fetch them all by the index of the search and sort them.
 * Many: run along the order and keep those whose key has the words; the more there are, the sooner the page is
 * full. The count, which stops early, tells which it is (decision 14).
 * @throws AppError `request/invalid` for a cursor that this order never gave
 */
export async function listUsers(
  database: Database,
  kind: DatabaseKind,
  { search = '', sort, order, after, limit }: Selection & { after?: string | undefined; limit: number },
): Promise<UsersPage> {
  const words = wordsOf(search);
  const place = after === undefined ? undefined : readCursor(after, sort, kind);
  const page = { sort, order, place, limit: limit + 1 };

  if (words.length === 0) {
    const total = await countUsers(database);
    return pageOf(await readAlongTheOrder(database, kind, page), { sort, limit, total, totalIsExact: true });
  }
  const counted = await countFound(database, kind, words, limits.countedUsers + 1);
  const totalIsExact = counted <= limits.countedUsers;
  let rows: Row[] = [];
  if (!totalIsExact) {
    rows = await readAlongTheOrder(database, kind, { ...page, words, keys: keysAlongTheOrder });
  }
  if (rows.length <= limit && counted > 0) rows = await readFound(database, kind, words, page);
  return pageOf(rows, { sort, limit, total: Math.min(counted, limits.countedUsers), totalIsExact });
}

/** All users of a selection, page after page. */
export async function* eachUserPage(
  database: Database,
  kind: DatabaseKind,
  { limit, ...selection }: Selection & { limit: number },
): AsyncGenerator<ListedUser[]> {
  let after: string | undefined;
  do {
    const page = await listUsers(database, kind, { ...selection, after, limit });
    if (page.documents.length > 0) yield page.documents;
    after = page.next ?? undefined;
  } while (after);
}

type Row = StoredUser & { createdAt: unknown; place: string | number };
/** What a page starts after: the value it is ordered by, and the id. */
type Place = [value: string | number, id: string];
type Page = { sort: UserSort; order: SortOrder; place: Place | undefined; limit: number };

function pageOf(
  rows: Row[],
  { sort, limit, ...totals }: { sort: UserSort; limit: number; total: number; totalIsExact: boolean },
): UsersPage {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    documents: rows.slice(0, limit).map(listedUserOf),
    next: last ? writeCursor(sort, [last.place, last.id]) : null,
    ...totals,
  };
}

function listedUserOf(row: Row): ListedUser {
  const record = userRecordOf(row);
  // Better Auth's times: text in SQLite, a Date from PostgreSQL.
  return {
    ...record,
    createdAt: new Date(row.createdAt as string | Date).getTime(),
    tag: documentTag(record),
  };
}

/** The next rows in the order; with words only those that have them, among the next `keys` alone. */
async function readAlongTheOrder(
  database: Database,
  kind: DatabaseKind,
  { words = [], keys, ...page }: Page & { words?: string[]; keys?: number },
): Promise<Row[]> {
  const { sort, order, limit } = page;
  const along = sql`
    select users.id, users."searchKey", ${orderBy(kind, sort)} as "orderedBy" from users
    where ${afterPlace(kind, page)}
    order by ${orderBy(kind, sort)} ${sql.raw(order)}, users.id ${sql.raw(order)}
    limit ${keys ?? limit}`;
  const { rows } = await sql<Row>`
    select ${columns(kind, sort)}
    from (
      select id, "orderedBy" from (${along}) as along
      where ${every(words.map((word) => hasWord(kind, word)))} limit ${limit}
    ) as page
    join users on users.id = page.id
    order by "orderedBy" ${sql.raw(order)}, users.id ${sql.raw(order)}`.execute(database);
  return rows;
}

/** Everybody who is found, by the index of the search; then sorted. */
async function readFound(
  database: Database,
  kind: DatabaseKind,
  words: string[],
  page: Page,
): Promise<Row[]> {
  const { sort, order, limit } = page;
  const { rows } = await sql<Row>`
    select ${columns(kind, sort)} from ${found(kind, words)} and ${afterPlace(kind, page)}
    order by ${orderBy(kind, sort)} ${sql.raw(order)}, users.id ${sql.raw(order)}
    limit ${limit}`.execute(database);
  return rows;
}

/** How many people are found, but no more than `most`. */
async function countFound(
  database: Database,
  kind: DatabaseKind,
  words: string[],
  most: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select 1 from ${found(kind, words)} limit ${most}) as matched`.execute(
    database,
  );
  return Number(rows[0]?.count ?? 0);
}

/** The tables and the condition of a search by its index, to be followed by `and …`. */
function found(kind: DatabaseKind, words: string[]): RawBuilder<unknown> {
  const has = every(words.map((word) => hasWord(kind, word)));
  if (kind === 'postgres') return sql`users where ${has}`;
  // The order of a cross join is kept: first the index.
  return sql`"usersSearch"
    cross join "userNumbers" on number = "usersSearch".rowid
    cross join users on users.id = "userId"
    where "usersSearch" match ${trigramsOf(words)} and ${has}`;
}

/** Whether the key has the word; a word of one or two letters only counts at the start of one. */
function hasWord(kind: DatabaseKind, word: string): RawBuilder<SqlBool> {
  const key = sql.ref('searchKey');
  if (kind === 'sqlite') {
    return isShort(word) ? sql`instr(' ' || ${key}, ${` ${word}`}) > 0` : sql`instr(${key}, ${word}) > 0`;
  }
  const pattern = word.replace(/[\\%_]/g, '\\$&');
  return isShort(word)
    ? sql`(${key} like ${`${pattern}%`} or ${key} like ${`% ${pattern}%`})`
    : sql`${key} like ${`%${pattern}%`}`;
}

const every = (conditions: RawBuilder<SqlBool>[]) =>
  conditions.length > 0 ? sql<SqlBool>`(${sql.join(conditions, sql` and `)})` : sql<SqlBool>`1 = 1`;

const isShort = (word: string) => [...word].length < 3;

function wordsOf(search: string): string[] {
  return [...new Set(foldForSearch(search).split(' '))].filter((word) => word !== '');
}

/** The words as SQLite's index has them: all their trigrams, those of short words with the spaces before a word. */
function trigramsOf(words: string[]): string {
  const trigrams = words.flatMap((word) => {
    const letters = [...(isShort(word) ? `  ${word}` : word)];
    return letters.slice(2).map((letter, index) => `${letters[index]}${letters[index + 1]}${letter}`);
  });
  return [...new Set(trigrams)].map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ');
}

/** What the rows are ordered by. Names and e-mails by their bytes, the same in both databases. */
function orderBy(kind: DatabaseKind, sort: UserSort): RawBuilder<unknown> {
  if (sort === 'createdAt') return sql`users."createdAt"`;
  if (sort === 'name') return sql`users."searchKey"`;
  return kind === 'postgres' ? sql`users.email collate "C"` : sql`users.email`;
}

function columns(kind: DatabaseKind, sort: UserSort): RawBuilder<unknown> {
  const record = [...userColumns, 'createdAt'].map((column) => sql.ref(`users.${column}`));
  return sql`${sql.join(record)}, ${placeValue(kind, sort)} as place`;
}

/** The value of the order as a cursor keeps it: of PostgreSQL's times every microsecond. */
function placeValue(kind: DatabaseKind, sort: UserSort): RawBuilder<unknown> {
  return kind === 'postgres' && sort === 'createdAt'
    ? sql`(extract(epoch from users."createdAt") * 1000000)::bigint`
    : orderBy(kind, sort);
}

function afterPlace(kind: DatabaseKind, { sort, order, place }: Page): RawBuilder<SqlBool> {
  if (!place) return sql`1 = 1`;
  const [given, id] = place;
  const value =
    kind === 'postgres' && sort === 'createdAt'
      ? sql`timestamptz 'epoch' + ${given}::double precision * interval '1 microsecond'`
      : sql`${given}`;
  return sql`(${orderBy(kind, sort)}, users.id) ${sql.raw(order === 'asc' ? '>' : '<')} (${value}, ${id})`;
}

function writeCursor(sort: UserSort, place: Place): string {
  return Buffer.from(JSON.stringify([sort, ...place])).toString('base64url');
}

/** @throws AppError `request/invalid` for anything that writeCursor did not make for this order */
function readCursor(cursor: string, sort: UserSort, kind: DatabaseKind): Place {
  const type = kind === 'postgres' && sort === 'createdAt' ? 'number' : 'string';
  try {
    const [madeFor, value, id, ...rest] = JSON.parse(
      Buffer.from(cursor, 'base64url').toString(),
    ) as unknown[];
    const isPlace = typeof value === type && typeof id === 'string' && rest.length === 0;
    // PostgreSQL knows no NUL in text, and no times beyond its calendar.
    const isStorable = !`${value}${id}`.includes('\0') && (type === 'string' || Number.isSafeInteger(value));
    if (madeFor === sort && isPlace && isStorable) return [value as string | number, id];
  } catch {
    // Falls through to the refusal.
  }
  throw new AppError('request/invalid', {
    issues: [{ path: 'after', message: 'Use o valor de `next` da página anterior.' }],
  });
}
