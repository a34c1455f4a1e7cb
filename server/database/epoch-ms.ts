/** Converts a time that Better Auth stored to epoch milliseconds: SQLite returns text, PostgreSQL a Date. */
export const epochMs = (time: unknown) => new Date(time as string | Date).getTime();
