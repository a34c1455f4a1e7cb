import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { StartError } from '../environment.ts';
import { isDatabaseAway, whenDatabaseResponds } from './away.ts';
import { withoutTimeLimit } from './postgres.ts';
import type { Database, DatabaseKind } from './tables.ts';

/** How long to wait until PostgreSQL has ended the transaction of a broken connection. */
const endTimeoutMs = 30_000;
const retryMs = 200;

/**
 * Runs `work` in one transaction without a time limit. If the connection to PostgreSQL breaks during the
 * commit, the response is lost. The function then asks PostgreSQL whether the transaction was committed.
 * @returns the result of `work`, whose changes are committed
 * @throws StartError when PostgreSQL does not tell whether the transaction was committed. If the transaction
 * was not committed, the function throws the error of `work` or of the commit.
 */
export async function commitForCertain<Result>(
  database: Database,
  kind: DatabaseKind,
  work: (transaction: Database) => Promise<Result>,
): Promise<Result> {
  let done: { id: string; result: Result } | undefined;
  try {
    return await withoutTimeLimit(() =>
      database.transaction().execute(async (transaction) => {
        const result = await work(transaction);
        if (kind === 'postgres') done = { id: await readTransactionId(transaction), result };
        return result;
      }),
    );
  } catch (error) {
    if (done === undefined || !isDatabaseAway(error) || !(await wasCommitted(database, done.id))) throw error;
    return done.result;
  }
}

async function readTransactionId(transaction: Database): Promise<string> {
  const { rows } = await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(transaction);
  return rows[0]?.id ?? '';
}

/**
 * https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-PG-SNAPSHOT explains
 * `pg_xact_status`.
 */
async function wasCommitted(database: Database, id: string): Promise<boolean> {
  try {
    for (const until = Date.now() + endTimeoutMs; Date.now() < until; await wait(retryMs)) {
      const { rows } = await whenDatabaseResponds(() =>
        sql<{ status: string }>`select pg_xact_status(${id}::text::xid8) as status`.execute(database),
      );
      if (rows[0]?.status !== 'in progress') return rows[0]?.status === 'committed';
    }
  } catch (cause) {
    throw uncertain(cause);
  }
  throw uncertain();
}

const uncertain = (cause?: unknown) =>
  new StartError(
    'O PostgreSQL parou de responder no último passo. Quando ele voltar, repita o comando: se tudo tiver chegado ao fim, ele dirá que já há dados de um site.',
    { cause },
  );
