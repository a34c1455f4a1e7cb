import { PostgresDialect } from 'kysely';

/** PostgreSQL's type number of bigint. Ours stay below 2^53, so they are read as numbers. */
const bigintOid = 20;
const connectTimeoutMs = 5_000;

/** PostgreSQL by its driver, which is loaded only where it is used. */
export function createPostgresDialect(connectionString: string): PostgresDialect {
  return new PostgresDialect({ pool: () => openPool(connectionString) });
}

async function openPool(connectionString: string) {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString,
    max: 10,
    connectionTimeoutMillis: connectTimeoutMs,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === bigintOid ? Number : pg.types.getTypeParser(oid, format as 'text'),
    },
  });
  // An idle connection that the server closes is replaced at the next query; without a listener it would end the process.
  pool.on('error', () => {});
  return pool;
}
