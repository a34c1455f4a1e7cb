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

/** Converts epoch milliseconds to a value that Better Auth's times in the database compare with. */
export const authTime = (kind: DatabaseKind, time: number): string | Date =>
  kind === 'sqlite' ? new Date(time).toISOString() : new Date(time);
