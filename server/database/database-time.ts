import { sql } from 'kysely';
import type { DatabaseKind } from './connect.ts';

/**
 * Returns SQL for the time of the database's clock in epoch milliseconds. Processes on several machines use
 * this time, because their own clocks can differ.
 */
export const databaseTime = (kind: DatabaseKind) =>
  kind === 'sqlite'
    ? sql<number>`cast(unixepoch('subsec') * 1000 as integer)`
    : sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** Converts a Better Auth time, which is text on SQLite and a Date on PostgreSQL, to epoch milliseconds. */
export const epochMs = (time: unknown) => new Date(time as string | Date).getTime();
