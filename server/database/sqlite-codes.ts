/** SQLite's primary result codes, https://www.sqlite.org/rescode.html */
export const sqliteCodes = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  tooBig: 18,
  constraint: 19,
  mismatch: 20,
  notADatabase: 26,
};

/** Returns the primary result code of an error of node:sqlite, and 0 for another error. */
export function sqliteCodeOf(error: unknown): number {
  const { code, errcode = 0 } = (error ?? {}) as { code?: string; errcode?: number };
  // The low byte is the primary code.
  return code === 'ERR_SQLITE_ERROR' ? errcode & 0xff : 0;
}
