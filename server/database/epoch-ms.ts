/** Converts a Better Auth time, which is text on SQLite and a Date on PostgreSQL, to epoch milliseconds. */
export const epochMs = (time: unknown) => new Date(time as string | Date).getTime();
