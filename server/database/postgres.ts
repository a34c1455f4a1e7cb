import { AsyncLocalStorage } from 'node:async_hooks';
import type { Socket } from 'node:net';
import { PostgresAdapter, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type { ClientBase, ClientConfig, Pool, PoolClient } from 'pg';
import { createTurns } from '../concurrency.ts';
import { isDatabaseAway, isLocked } from './away.ts';
import { detectOutages } from './outages.ts';

/** PostgreSQL's OID of the type bigint. All stored values are below 2^53, so they are read as numbers. */
const bigintOid = 20;
const connectTimeoutMs = 5_000;
const probeTimeoutMs = 2_000;
const keepAliveDelayMs = 10_000;
/**
 * The maximum age of a connection, so that connections through a load balancer do not stay with the same
 * PostgreSQL server for too long.
 */
const lifetimeSeconds = 15 * 60;
/**
 * Shorter than `limitMs` of outages.ts, so that PostgreSQL cancels a statement before its connection is
 * closed.
 */
const statementTimeoutMs = 12_000;
/** The part of the connections that writes leave to reads, so that a locked table does not stop reads. */
const readPart = 0.25;
const mostKeptForReads = 2;
/**
 * PostgreSQL ends a transaction that is idle for this long. A transaction waits only for the database, so an
 * idle one belongs to an instance that has ended.
 */
const idleInTransactionMs = 5_000;
/**
 * How long a statement waits for a row or table that another transaction has locked. Longer than
 * `idleInTransactionMs`, so that the statement succeeds if the instance with the lock has ended.
 */
const lockTimeoutMs = 6_000;
const endTimeoutMs = 1_000;

/** True while work without a time limit runs. */
const unlimited = new AsyncLocalStorage<true>();

/** Runs `work`, for example migrations, without time limits for its transactions. */
export const withoutTimeLimit = <Result>(work: () => Promise<Result>): Promise<Result> =>
  unlimited.run(true, work);

/** Creates the dialect of PostgreSQL, which loads its driver at the first use. */
export function createPostgresDialect(connectionString: string, poolSize: number): PostgresDialect {
  return new TransactionLockDialect({ pool: () => openPool(connectionString, poolSize) });
}

/**
 * A dialect without Kysely's own migration lock, which is a session lock. Behind PgBouncer, a session lock
 * could be acquired and released on different connections. So `migrate` takes a transaction lock instead.
 */
class TransactionLockDialect extends PostgresDialect {
  override createAdapter() {
    return new (class extends PostgresAdapter {
      override async acquireMigrationLock() {}
      override async releaseMigrationLock() {}
    })();
  }
}

async function openPool(connectionString: string, poolSize: number): Promise<PostgresPool> {
  const { default: pg } = await import('pg');
  const settings = {
    connectionString,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelayMs,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === bigintOid ? Number : pg.types.getTypeParser(oid, format as 'text'),
    },
  };
  const open = new Set<ClientBase>();
  const outages = detectOutages({
    name: 'PostgreSQL',
    // A lock is not an outage: the response shows that PostgreSQL is there.
    isLost: (error) => isDatabaseAway(error) && !isLocked(error),
    probe: () => probe(new pg.Client({ ...settings, connectionTimeoutMillis: probeTimeoutMs })),
    cutAll: () => open.forEach(cut),
  });
  const pool = new pg.Pool({
    ...settings,
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    maxLifetimeSeconds: lifetimeSeconds,
    Client: class extends pg.Client {
      constructor(config?: ClientConfig) {
        super(config);
        open.add(this);
        this.once('end', () => open.delete(this));
        // Without a listener, a broken active connection would end the process.
        this.on('error', outages.report);
      }
    },
  });
  // Without a listener, a broken idle connection would end the process. `outages.report` already logs the
  // error.
  pool.on('error', () => {});
  return guardPool(pool, open, outages);
}

/** Wraps the pool for Kysely: adds a time limit to each query, and fails at once during an outage. */
function guardPool(
  pool: Pool,
  open: ReadonlySet<ClientBase>,
  outages: ReturnType<typeof detectOutages>,
): PostgresPool {
  const guarded = new WeakMap<PoolClient, PostgresPoolClient>();
  const lent = new Set<ClientBase>();
  /** Connections that must not be used again. */
  const dropped = new WeakSet<ClientBase>();

  function ask(client: PoolClient, sql: string, parameters: unknown[] = []) {
    const limited = unlimited.getStore() === undefined;
    return outages.watch(
      () => client.query(sql, parameters).catch((error: unknown) => dropIfLost(client, error)),
      () => cut(client),
      limited,
    );
  }

  function dropIfLost(client: PoolClient, error: unknown): never {
    const { code } = error as { code?: unknown };
    if (code === '57P01') dropped.add(client);
    // The server has become a standby, so all connections to it are useless.
    if (code === '25006') {
      for (const other of open) {
        dropped.add(other);
        if (!lent.has(other)) cut(other);
      }
    }
    throw error;
  }

  async function guard(client: PoolClient): Promise<PostgresPoolClient> {
    const isDirect = await limitSession(client, (sql) => ask(client, sql));
    return {
      query: async (sql: unknown, parameters?: readonly unknown[]) => {
        const text = String(sql);
        return ask(client, isBegin(text) ? beginWithLimits(text, isDirect) : text, [...(parameters ?? [])]);
      },
      release(discard?: boolean) {
        lent.delete(client);
        client.release(discard || dropped.has(client));
      },
    } as unknown as PostgresPoolClient;
  }

  async function takeClient(): Promise<PoolClient> {
    const taking = pool.connect();
    const { promise: away, reject } = Promise.withResolvers<never>();
    let given = false;
    try {
      const client = await outages.watch(
        () => Promise.race([taking, away]),
        () => reject(notResponding()),
      );
      given = true;
      return client;
    } finally {
      if (!given)
        taking.then(
          (late) => late.release(),
          () => {},
        );
    }
  }

  const size = pool.options.max;
  const inTurn = createTurns({
    atOnce: size - Math.min(mostKeptForReads, Math.floor(size * readPart)),
    mostWaiting: Number.POSITIVE_INFINITY,
    waitMs: connectTimeoutMs,
  });

  /** Waits for a turn to write. @returns a function that ends the turn */
  async function takeTurn(): Promise<() => void> {
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    inTurn(async () => {
      begun.resolve();
      await ended.promise;
    }).catch(begun.reject);
    await begun.promise;
    return ended.resolve;
  }

  async function connect(): Promise<PostgresPoolClient> {
    if (outages.isAway()) throw notResponding();
    const client = await takeClient();
    lent.add(client);
    try {
      const known = guarded.get(client) ?? (await guard(client));
      guarded.set(client, known);
      return known;
    } catch (error) {
      lent.delete(client);
      client.release(true);
      throw error;
    }
  }

  return {
    options: pool.options,
    /** Takes a connection at the first query, which shows whether it is for reading. */
    async connect() {
      let client: PostgresPoolClient | undefined;
      let endTurn = () => {};
      return {
        async query(sql: string, parameters: readonly unknown[]) {
          if (!client && !isRead(sql)) endTurn = await takeTurn();
          client ??= await connect();
          return client.query(sql, parameters);
        },
        release(discard?: boolean) {
          client?.release(discard);
          endTurn();
        },
      } as unknown as PostgresPoolClient;
    },
    async end() {
      outages.stop();
      await pool.end();
      // A frozen server does not close its connections. Without this timer, the process would wait for that
      // server.
      setTimeout(() => open.forEach(cut), endTimeoutMs).unref();
    },
  };
}

const notResponding = () => Object.assign(new Error('PostgreSQL does not respond.'), { code: 'ETIMEDOUT' });

/**
 * Sets the time limits of the whole session if the client is connected to PostgreSQL itself. Behind
 * PgBouncer, clients share sessions, so the query must set nothing. The process id tells the difference:
 * PgBouncer gives its clients ids that differ from PostgreSQL's.
 * @returns true if the limits apply to the session; if not, each transaction sets its own limits
 */
async function limitSession(
  client: PoolClient,
  ask: (sql: string) => Promise<{ rows: unknown[] }>,
): Promise<boolean> {
  const { processID } = client as PoolClient & { processID?: number };
  const { rows } = await ask(`select
    set_config('statement_timeout', '${statementTimeoutMs}', false),
    set_config('lock_timeout', '${lockTimeoutMs}', false),
    set_config('idle_in_transaction_session_timeout', '${idleInTransactionMs}', false)
    where pg_backend_pid() = ${Number(processID)}`);
  return rows.length === 1;
}

const isRead = (sql: string) => /^\s*select\b/i.test(sql);

const isBegin = (sql: string) => sql === 'begin' || sql.startsWith('start transaction');

/**
 * Returns SQL that begins a transaction and sets its limits. Sending all statements in one message saves
 * round trips.
 */
function beginWithLimits(begin: string, isDirect: boolean): string {
  const free = unlimited.getStore() === true;
  if (isDirect && !free) return begin;
  const [statement, lock, idle] = free ? [0, 0, 0] : [statementTimeoutMs, lockTimeoutMs, idleInTransactionMs];
  return `${begin}; set local statement_timeout = ${statement}; set local lock_timeout = ${lock}; set local idle_in_transaction_session_timeout = ${idle}`;
}

/** Checks that PostgreSQL accepts a new connection and a query. @throws Error when it does not */
async function probe(client: ClientBase & { end(): Promise<void> }): Promise<void> {
  client.on('error', () => {});
  const timer = setTimeout(() => cut(client), probeTimeoutMs);
  try {
    await client.connect();
    await client.query('select 1');
    await client.end();
  } catch (error) {
    cut(client);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Closes the connection without a protocol message; pending queries fail. */
function cut(client: ClientBase) {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
}
