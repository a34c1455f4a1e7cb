/** Epoch milliseconds of a time that Better Auth stored: text in SQLite, a Date from PostgreSQL. */
export const epochMs = (time: unknown) => new Date(time as string | Date).getTime();
