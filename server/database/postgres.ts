import { AsyncLocalStorage } from 'node:async_hooks';
import type { Socket } from 'node:net';
import { PostgresAdapter, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type { ClientBase, ClientConfig, Pool, PoolClient } from 'pg';
import { watchAnswers } from './answers.ts';
import { isDatabaseAway } from './away.ts';

/** PostgreSQL's type number of bigint. Ours stay below 2^53, so they are read as numbers. */
const bigintOid = 20;
const connectTimeoutMs = 5_000;
const probeTimeoutMs = 2_000;
const keepAliveDelayMs = 10_000;
/** A connection through a balancer leads to the server of its first moment: this bounds how long. */
const lifetimeSeconds = 15 * 60;
/** PostgreSQL ends a statement before this side closes the connection. */
const statementTimeoutMs = 12_000;
/** Nothing waits for anything else within a transaction: one that is idle this long belongs to an instance that is gone. */
const idleInTransactionMs = 5_000;
const endTimeoutMs = 1_000;

/** Set while work runs that may take as long as it needs. */
const unlimited = new AsyncLocalStorage<true>();

/** Lets the transactions of `work` take as long as they need: migrations. */
export const withoutTimeLimit = <Result>(work: () => Promise<Result>): Promise<Result> =>
  unlimited.run(true, work);

/** PostgreSQL by its driver, which is loaded only where it is used. */
export function createPostgresDialect(connectionString: string, poolSize: number): PostgresDialect {
  return new TransactionLockDialect({ pool: () => openPool(connectionString, poolSize) });
}

/** Behind PgBouncer a lock of the session may be taken and released on two connections: migrate() takes its own. */
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
  const answers = watchAnswers({
    name: 'PostgreSQL',
    isLost: isDatabaseAway,
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
        // Without a listener, the end of a connection in use ends the process.
        this.on('error', answers.report);
      }
    },
  });
  // The same for idle connections; the listener above has reported it.
  pool.on('error', () => {});
  return guardPool(pool, open, answers);
}

/** The pool as Kysely sees it: with limits for each query and a refusal at once while PostgreSQL is away. */
function guardPool(
  pool: Pool,
  open: ReadonlySet<ClientBase>,
  answers: ReturnType<typeof watchAnswers>,
): PostgresPool {
  const guarded = new WeakMap<PoolClient, PostgresPoolClient>();
  const lent = new Set<ClientBase>();
  /** Not to be used again. */
  const dropped = new WeakSet<ClientBase>();

  function ask(client: PoolClient, sql: string, parameters: unknown[] = []) {
    const limited = unlimited.getStore() === undefined;
    return answers.watch(
      () => client.query(sql, parameters).catch((error: unknown) => dropIfLost(client, error)),
      () => cut(client),
      limited,
    );
  }

  function dropIfLost(client: PoolClient, error: unknown): never {
    const { code } = error as { code?: unknown };
    if (code === '57P01') dropped.add(client);
    // The server has become a standby: no connection to it is of use any more.
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
      const client = await answers.watch(
        () => Promise.race([taking, away]),
        () => reject(notAnswering()),
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

  return {
    options: pool.options,
    async connect() {
      if (answers.isAway()) throw notAnswering();
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
    },
    async end() {
      answers.stop();
      await pool.end();
      // A server that does not answer does not close its end either. Without this the process would wait for it.
      setTimeout(() => open.forEach(cut), endTimeoutMs).unref();
    },
  };
}

const notAnswering = () => Object.assign(new Error('PostgreSQL does not answer.'), { code: 'ETIMEDOUT' });

/**
 * Sets the time limits of a session with PostgreSQL itself. PgBouncer lends a session to one client after another, so
 * nothing is set there; it shows by a process id that it made up.
 * @returns whether the limits hold for the session; else each transaction sets its own
 */
async function limitSession(
  client: PoolClient,
  ask: (sql: string) => Promise<{ rows: unknown[] }>,
): Promise<boolean> {
  const { processID } = client as PoolClient & { processID?: number };
  const { rows } = await ask(`select
    set_config('statement_timeout', '${statementTimeoutMs}', false),
    set_config('idle_in_transaction_session_timeout', '${idleInTransactionMs}', false)
    where pg_backend_pid() = ${Number(processID)}`);
  return rows.length === 1;
}

const isBegin = (sql: string) => sql === 'begin' || sql.startsWith('start transaction');

/** In one message: limits cost no round trip of their own. */
function beginWithLimits(begin: string, isDirect: boolean): string {
  const free = unlimited.getStore() === true;
  if (isDirect && !free) return begin;
  const [statement, idle] = free ? [0, 0] : [statementTimeoutMs, idleInTransactionMs];
  return `${begin}; set local statement_timeout = ${statement}; set local idle_in_transaction_session_timeout = ${idle}`;
}

/** Whether PostgreSQL answers a new connection. @throws Error when not; a refusal is an answer */
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

/** Closes the connection without a word to the server; what waits for an answer fails. */
function cut(client: ClientBase) {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
}
