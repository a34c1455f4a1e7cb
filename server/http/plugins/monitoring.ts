import { constants } from 'node:fs';
import { access, statfs, utimes } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Gauge, Registry } from 'prom-client';
import { shareRun, withTimeout } from '../../concurrency.ts';
import type { AppContext } from '../../context.ts';
import { AppError } from '../errors.ts';

/** Longer than a normal check and shorter than a load balancer's usual time-out. */
const timeoutMs = 4_000;

type Watched = Pick<AppContext, 'database' | 'databaseKind' | 'environment' | 'requireSameData'>;

/** The services that this instance needs. Each check rejects when its service is unavailable. */
const checks: ((context: Watched) => Promise<unknown>)[] = [requireWritableDatabase, requireDataFolder];

/**
 * Creates the readiness check of this instance. It does not check the file store: all instances share it, so
 * its failure would make the load balancer remove every instance. Concurrent requests share one check, so
 * that they cannot cause load.
 * @returns a function that throws AppError `server/unavailable` when a check fails or does not finish in time
 */
function createReadiness(context: Watched) {
  return shareRun(async () => {
    const results = Promise.all(checks.map((one) => one(context)));
    await withTimeout(timeoutMs, results).catch((cause: unknown) => {
      throw new AppError('server/unavailable', { cause });
    });
  });
}

async function requireWritableDatabase({ database, databaseKind }: Watched) {
  if (databaseKind === 'sqlite') return sql`select 1`.execute(database);
  // This query locks no row, but a standby refuses it like a write (SQLSTATE 25006). The pool then drops the
  // connections to that standby.
  return sql`select 1 from ${sql.table('activityLists')} where false for key share`.execute(database);
}

async function requireDataFolder({ environment: { dataDir }, requireSameData }: Watched) {
  requireSameData();
  await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  // A file system that became read-only after an error still passes the check of permissions, but not this
  // write.
  const now = new Date();
  await utimes(dataDir, now, now);
}

/**
 * The bounds of the histogram's buckets, in seconds. They cover everything from a 304 response to the largest
 * upload chunk on a slow connection.
 */
const durationBounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The longest wait for the file store; shorter than Prometheus's scrape time-out, 10 s by default. */
const fileTimeoutMs = 3_000;

type MonitoringContext = Watched & Pick<AppContext, 'fileStore' | 'usageRecords' | 'mailer'>;

/**
 * Serves what a load balancer and the operator's monitoring request: `/healthz`, `/readyz` and `/metrics`.
 * @param addOthers adds the metrics that features (folders of `server/`) provide
 */
export async function serveMonitoring(
  app: FastifyInstance,
  context: MonitoringContext,
  addOthers: (create: typeof Gauge, registry: Registry) => void,
): Promise<void> {
  const requireReady = createReadiness(context);
  app.get('/healthz', async () => ({ ok: true }));
  app.get('/readyz', async () => {
    if (app.draining.hasBegun()) throw new AppError('server/unavailable');
    await requireReady();
    return { ok: true };
  });
  await serveMetrics(app, context, requireReady, addOthers);
}

/**
 * Serves `GET /metrics` for Prometheus to callers with METRICS_TOKEN: the number and duration of requests per
 * route, the free disk space, the lost usage records, the failed mails, whether this instance and the file
 * store are ready, and Node's own metrics.
 * The label of a route is its pattern, never the requested path. Without METRICS_TOKEN, the server counts
 * nothing and does not load prom-client.
 * @param requireReady rejects while this instance is not ready
 */
async function serveMetrics(
  app: FastifyInstance,
  { environment: { metricsToken, dataDir }, fileStore, usageRecords, mailer }: MonitoringContext,
  requireReady: () => Promise<void>,
  addOthers: (create: typeof Gauge, registry: Registry) => void,
) {
  if (metricsToken === undefined) {
    // This handler never runs: without METRICS_TOKEN, auth/guards.ts refuses every caller of this route.
    app.get('/metrics', () => '');
    return;
  }
  const { collectDefaultMetrics, Gauge, Histogram, Registry } = await import('prom-client');
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  addOthers(Gauge, registry);
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'From the first byte of a request to the last one of its response.',
    labelNames: ['method', 'route', 'status'],
    buckets: durationBounds,
    registers,
  });
  new Gauge({
    name: 'acolhe_data_free_bytes',
    help: 'Space left where the data folder is.',
    registers,
    async collect() {
      // A missing folder must not fail the scrape: the other metrics are most important then.
      const space = await statfs(dataDir).catch(() => undefined);
      this.set(space ? space.bavail * space.bsize : Number.NaN);
    },
  });
  new Gauge({
    name: 'acolhe_usage_records_lost',
    help: 'Usage records dropped since the start, because the disk or the limit of the day was full.',
    registers,
    collect() {
      this.set(usageRecords.lost());
    },
  });
  new Gauge({
    name: 'acolhe_usage_record_write_errors',
    help: 'Failed writes of usage records since the start. The server repeats them.',
    registers,
    collect() {
      this.set(usageRecords.writeErrors());
    },
  });
  new Gauge({
    name: 'acolhe_mail_failures',
    help: 'Mails since the start that could not be sent.',
    registers,
    collect() {
      this.set(mailer.failures());
    },
  });
  new Gauge({
    name: 'acolhe_mails_withheld',
    help: 'Mails since the start that were not sent, because the budget of their hour was used up.',
    registers,
    collect() {
      this.set(mailer.withheld());
    },
  });
  new Gauge({
    name: 'acolhe_ready',
    help: '1 when the database and the data folder accept changes, as /readyz says; 0 otherwise.',
    registers,
    async collect() {
      this.set(
        await requireReady().then(
          () => 1,
          () => 0,
        ),
      );
    },
  });
  const checkStore = shareRun(() => fileStore.check());
  new Gauge({
    name: 'acolhe_file_store_up',
    help: '1 when the file store responds, 0 when it is away.',
    registers,
    async collect() {
      const up = withTimeout(fileTimeoutMs, checkStore()).then(
        () => 1,
        () => 0,
      );
      this.set(await up);
    },
  });

  app.addHook('onResponse', (request, reply, done) => {
    const labels = {
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
    };
    durations.observe(labels, reply.elapsedTime / 1000);
    done();
  });
  app.get('/metrics', async (_request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .type(registry.contentType)
      .send(await registry.metrics()),
  );
}
