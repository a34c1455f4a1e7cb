import { setTimeout as wait } from 'node:timers/promises';
import { StartError } from '../environment.ts';

/**
 * How long a starting server waits for PostgreSQL. A restart or a fail-over of PostgreSQL takes less time.
 */
const startTimeoutMs = 30_000;
const retryMs = 500;

const socketErrors = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT'],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
]);

/** lock_timeout */
const lockNotAvailable = '55P03';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const postgresErrors = new Set([
  '25006', // read_only_sql_transaction: the server is a standby
  '25P03', // idle_in_transaction_session_timeout
  lockNotAvailable,
  '53300', // too_many_connections
  '57014', // query_canceled: statement_timeout
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57P05', // idle_session_timeout
]);
/** Class 08 is "connection exception". PgBouncer uses this class when it cannot reach PostgreSQL. */
const connectionException = /^08[0-9A-Z]{3}$/;

/** Matches the messages of errors that `pg`, `pg-pool` and Kysely throw without a code. */
const lostConnection =
  /^(?:Connection terminated|Client (?:has encountered a connection error|was closed)|timeout (?:exceeded when trying to connect|expired)|Postgres connection has been discarded)/;

/**
 * True if an error means that the database is temporarily unavailable: unreachable, overloaded or read-only.
 * The same request can succeed later.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code === 'string')
    return socketErrors.has(code) || postgresErrors.has(code) || connectionException.test(code);
  return lostConnection.test(error.message) || isDatabaseAway(error.cause);
}

/** True if a statement has waited too long for what another transaction has locked. */
export const isLocked = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === lockNotAvailable;

/**
 * Repeats `work` until the database responds.
 * @throws StartError when there is no response within `timeoutMs`, or at once when PostgreSQL does not accept
 * the user or the database does not exist
 */
export async function whenDatabaseResponds<Result>(
  work: () => Promise<Result>,
  timeoutMs = startTimeoutMs,
): Promise<Result> {
  for (const until = Date.now() + timeoutMs; ; ) {
    try {
      return await work();
    } catch (cause) {
      const { code = '', message } = cause as NodeJS.ErrnoException;
      // SQLSTATE classes 28 (invalid user or password) and 3D (the database does not exist): waiting would
      // not help.
      if (/^(?:28|3D)[0-9A-Z]{3}$/.test(code))
        throw new StartError(`O PostgreSQL recusou a conexão (${message}): confira DATABASE_URL.`, { cause });
      if (!isDatabaseAway(cause)) throw cause;
      if (Date.now() > until)
        throw new StartError(
          `O PostgreSQL não respondeu em ${timeoutMs / 1000} segundos (${message}): veja se ele está no ar e aceita gravações, e confira DATABASE_URL.`,
          { cause },
        );
    }
    await wait(retryMs);
  }
}
