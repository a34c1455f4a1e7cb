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

/** What the queries of an adapter have in common. `data` and `update` contain the columns to write. */
type Query = { model: string; where?: Where[]; data?: Row; update?: Row };

/** All methods of an adapter that take a query. Each returns a row, rows or a number. */
const methods = [
  'create',
  'findOne',
  'findMany',
  'count',
  'update',
  'updateMany',
  'delete',
  'deleteMany',
  'consumeOne',
  'incrementOne',
] as const;

function wrap(adapter: DBTransactionAdapter): DBTransactionAdapter {
  const wrapped = methods.map((name) => {
    const run = adapter[name].bind(adapter) as (query: never) => Promise<unknown>;
    return [name, async (query: Query) => withTokens(await run(withHashes(query) as never), query)];
  });
  return { ...adapter, ...Object.fromEntries(wrapped) };
}

/** Replaces the tokens of a query with their hashes. */
function withHashes(query: Query): Query {
  const column = tokenColumns[query.model];
  if (!column) return query;
  const { field, hash } = column;
  const hashed = (row: Row) => (typeof row[field] === 'string' ? { ...row, [field]: hash(row[field]) } : row);
  return {
    ...query,
    ...(query.data && { data: hashed(query.data) }),
    ...(query.update && { update: hashed(query.update) }),
    ...(query.where && {
      where: query.where.map((condition) =>
        condition.field === field ? { ...condition, value: hashOfValue(condition, hash) } : condition,
      ),
    }),
  };
}

/** @throws Error for a comparison that is impossible with hashes */
function hashOfValue({ operator = 'eq', value }: Where, hash: (token: string) => string): Where['value'] {
  if (operator === 'eq' && typeof value === 'string') return hash(value);
  if (operator === 'in' && Array.isArray(value)) return value.map((token) => hash(String(token)));
  throw new Error(`Tokens are stored as hashes, so a query cannot compare them with "${operator}".`);
}

/** Puts the tokens that the query contains back into the rows that have their hashes. */
function withTokens(result: unknown, { model, where = [], data }: Query): unknown {
  const column = tokenColumns[model];
  if (!column) return result;
  const { field, hash } = column;
  const tokens = [data?.[field], ...where.filter((one) => one.field === field).flatMap(({ value }) => value)];
  const restored = (row: unknown) => {
    if (typeof row !== 'object' || row === null) return row;
    const stored = (row as Row)[field];
    const token = tokens.find((one) => typeof one === 'string' && hash(one) === stored);
    return token === undefined ? row : { ...row, [field]: token };
  };
  return Array.isArray(result) ? result.map(restored) : restored(result);
}
