import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { SqliteAdapter, sql } from 'kysely';
import { type ListName, listNames } from '#contract/axes.ts';
import type { Database } from './tables.ts';

/** The versions of the data that servers keep in memory. Each number grows with every change of its data. */
export type Versions = {
  /** The version of the published site content; 0 before the first publication. */
  content: number;
  /** Grows with every change of the draft of the site content. */
  draft: number;
  lists: Record<ListName, number>;
  /** The sum of the versions of all lists. */
  library: number;
};

export type ReadVersions = () => Promise<Versions>;

/**
 * The shortest time between two queries on PostgreSQL. Sending a query costs as much processor time as
 * several responses. At thousands of requests per second, this pause lets more requests share a query. SQLite
 * needs no pause, because its queries are cheap.
 */
const postgresSpacingMs = 1;

const noLists = Object.fromEntries(listNames.map((list) => [list, 0])) as Versions['lists'];

/** The names under which the query returns the versions of the site content and of its draft. */
const [contentName, draftName] = ['content', 'draft'] as const;

/**
 * Returns a function that reads all versions in one query, which concurrent callers share. The query begins
 * after all these calls, so no caller gets a version from before its call. Each server needs just one of
 * these functions.
 */
export function createVersionReader(database: Database): ReadVersions {
  // The query has no parameters, so that PostgreSQL's driver sends it as one message.
  const query = database
    .selectFrom('siteState')
    .select([sql.lit<string>(contentName).as('name'), 'version'])
    .unionAll(
      database.selectFrom('siteState').select([sql.lit<string>(draftName).as('name'), 'revision as version']),
    )
    .unionAll(database.selectFrom('activityLists').select(['name', 'version']))
    .compile();
  const spacingMs = database.getExecutor().adapter instanceof SqliteAdapter ? 0 : postgresSpacingMs;
  let begunAt = Number.NEGATIVE_INFINITY;
  let asked: Promise<Versions> | undefined;

  return () => {
    const isTooSoon = performance.now() - begunAt < spacingMs;
    asked ??= (isTooSoon ? wait(spacingMs) : nextTurn()).then(async () => {
      asked = undefined;
      begunAt = performance.now();
      const { rows } = await database.executeQuery(query);
      return versionsIn(rows);
    });
    return asked;
  };
}

function versionsIn(rows: { name: string; version: number }[]): Versions {
  const versions: Versions = { content: 0, draft: 0, lists: { ...noLists }, library: 0 };
  for (const { name, version } of rows) {
    if (name === contentName || name === draftName) versions[name] = version;
    else {
      versions.lists[name as ListName] = version;
      versions.library += version;
    }
  }
  return versions;
}
