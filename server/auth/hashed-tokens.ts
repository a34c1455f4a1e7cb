import { createHash } from 'node:crypto';
import type { DBAdapter, DBTransactionAdapter, Where } from 'better-auth';

type Row = Record<string, unknown>;

/**
 * Hashes a random token for the database, so that a reader of the database cannot use the token. A token has
 * at least 128 random bits, so the hash needs no salt.
 */
export const hashOfToken = (token: string) => createHash('sha256').update(token).digest('base64url');

/** The columns of Better Auth that hold tokens, by model, with the function that hashes them. */
const tokenColumns: Record<string, { field: string; hash: (token: string) => string }> = {
  session: { field: 'token', hash: hashOfToken },
  verification: { field: 'identifier', hash: hashOfIdentifier },
};

/**
 * Returns the purpose of an identifier, for example `reset-password:`, followed by a hash of the identifier.
 */
export function hashOfIdentifier(identifier: string): string {
  const [purpose = ''] = /^[a-z-]+:/.exec(identifier) ?? [];
  return purpose + hashOfToken(identifier);
}

/**
 * Wraps the database adapter of Better Auth so that tables contain only hashes of session tokens and of the
 * identifiers of verifications. Better Auth itself stores them in plain text. Its option for hashed
 * identifiers also accepts the stored hash as an identifier. A row that was found by its token is returned
 * with the token. Every other row is returned with the hash.
 */
export function withHashedTokens(adapter: DBAdapter): DBAdapter {
  return {
    ...wrap(adapter),
    transaction: (work) => adapter.transaction((transaction) => work(wrap(transaction))),
  };
}

function wrap(adapter: DBTransactionAdapter): DBTransactionAdapter {
  return {
    ...adapter,
    async create({ data, ...rest }) {
      const column = tokenColumns[rest.model];
      const row = await adapter.create({ ...rest, data: hashed(rest.model, data) as typeof data });
      return (column ? { ...(row as Row), [column.field]: (data as Row)[column.field] } : row) as never;
    },
    async findOne<T>(query: Parameters<typeof adapter.findOne>[0]) {
      const row = await adapter.findOne<T>(withHashedWhere(query));
      return row && restored(row, query);
    },
    async findMany<T>(query: Parameters<typeof adapter.findMany>[0]) {
      const rows = await adapter.findMany<T>(withHashedWhere(query));
      return rows.map((row) => restored(row, query));
    },
    count: (query) => adapter.count(withHashedWhere(query)),
    async update<T>(query: Parameters<typeof adapter.update>[0]) {
      const update = hashed(query.model, query.update);
      const row = await adapter.update<T>({ ...withHashedWhere(query), update });
      return row && restored(row, query);
    },
    updateMany: (query) =>
      adapter.updateMany({ ...withHashedWhere(query), update: hashed(query.model, query.update) }),
    delete: (query) => adapter.delete(withHashedWhere(query)),
    deleteMany: (query) => adapter.deleteMany(withHashedWhere(query)),
    async consumeOne<T>(query: Parameters<typeof adapter.consumeOne>[0]) {
      const row = await adapter.consumeOne<T>(withHashedWhere(query));
      return row && restored(row, query);
    },
    async incrementOne<T>(query: Parameters<typeof adapter.incrementOne>[0]) {
      const row = await adapter.incrementOne<T>(withHashedWhere(query));
      return row && restored(row, query);
    },
  };
}

function hashed(model: string, data: Row): Row {
  const column = tokenColumns[model];
  const token = column && data[column.field];
  return column && typeof token === 'string' ? { ...data, [column.field]: column.hash(token) } : data;
}

function withHashedWhere<Query extends { model: string; where?: Where[] | undefined }>(query: Query): Query {
  const column = tokenColumns[query.model];
  if (!column || !query.where) return query;
  const where = query.where.map((condition) =>
    condition.field === column.field
      ? { ...condition, value: hashOfValue(condition, column.hash) }
      : condition,
  );
  return { ...query, where };
}

/** @throws Error for a comparison that is impossible with hashes */
function hashOfValue({ operator = 'eq', value }: Where, hash: (token: string) => string): Where['value'] {
  if (operator === 'eq' && typeof value === 'string') return hash(value);
  if (operator === 'in' && Array.isArray(value)) return value.map((token) => hash(String(token)));
  throw new Error(`Tokens are stored as hashes, so a query cannot compare them with "${operator}".`);
}

/** Puts the token back into a row that was found by it. */
function restored<T>(row: T, { model, where = [] }: { model: string; where?: Where[] | undefined }): T {
  const column = tokenColumns[model];
  if (!column) return row;
  const stored = (row as Row)[column.field];
  const token = where
    .filter(({ field }) => field === column.field)
    .flatMap(({ value }) => value)
    .find((value) => typeof value === 'string' && column.hash(value) === stored);
  return token === undefined ? row : { ...row, [column.field]: token };
}
