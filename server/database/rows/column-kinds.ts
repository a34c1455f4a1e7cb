/**
 * How a column's values are written as JSON: `flag` as true or false, `time` (Better Auth's times) as an ISO
 * string, `number` as a safe integer, `text` as a string, `json` as a string that is JSON.
 */
export type ColumnKind = 'flag' | 'time' | 'number' | 'text' | 'json';

/** The columns of a table, by name. */
export type Columns = Readonly<Record<string, ColumnKind>>;

/** The jobs that copy a table. Moves copy everything that backups copy. */
export type CopiedBy = 'backups and moves' | 'moves' | 'nothing';

export type TableRows<Table> = {
  /** The folder of `server/` that queries the table. checks/tables.test.ts names what others may query. */
  feature: string;
  /** Columns that identify a row. */
  key: readonly (string & keyof Table)[];
  copiedBy: CopiedBy;
  columns: Readonly<Record<string & keyof Table, ColumnKind>>;
};
