import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { listNames } from '#contract/axes.ts';
import { paths } from '#contract/paths.ts';
import { type FaultyNetwork, startNetwork } from '../testing/peers/network.ts';
import { startPostgres, type TestPostgres } from '../testing/peers/postgres.ts';
import { sampleActivity } from '../testing/samples.ts';
import { type TestUser, visitorAt } from '../testing/server.ts';
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts';
import { connect } from './connect.ts';

const clients = 33;
/**
 * The pause between two writes of a client. Without it, so many clients would slow down the whole machine.
 */
const pauseMs = 50;
/** The longest allowed time from the return of PostgreSQL until every client can write again. */
const wellWithinMs = 5_000;
/**
 * How long an outage continues after every client has been refused. `OUTAGE_MS=30000` simulates a long one.
 */
const leastAwayMs = Number(process.env.OUTAGE_MS ?? 0);
/** The longest allowed wait of a request once PostgreSQL is known to be unreachable. */
const refusedAtOnceMs = 1_000;
/** The longest allowed wait of a request that was active when PostgreSQL stopped responding. */
const refusedWithinMs = 12_000;

/** One request of a writing client, with times in milliseconds. */
type Write = { client: number; status: number; id: string | undefined; begun: number; ended: number };

describe(`with PostgreSQL and ${clients} clients the process survives, responds with 503 and loses no write`, () => {
  let postgres: TestPostgres;
  let network: FaultyNetwork;
  let server: ServerProcess;
  let admin: TestUser;
  const acknowledged = new Set<string>();
  const undo: (() => unknown)[] = [];

  before(async () => {
    postgres = await startPostgres({ durable: true });
    undo.push(() => postgres.stop());
    network = await startNetwork({ after: (step) => void undo.push(step) }, postgres.port);
    const dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-away-'));
    undo.push(() => rm(dataDir, { recursive: true, force: true }));
    server = await startServerProcess(dataDir, {
      DATABASE_URL: postgres.url.replace(`:${postgres.port}/`, `:${network.port}/`),
    });
    undo.push(() => server.kill());
    admin = visitorAt(server.url, server.url);
    const account = { displayName: 'Ana', email: 'ana@exemplo.com.br', password: 'senha12345' };
    await admin.client.auth.signUp(account);
    await admin.client.auth.becomeFirstAdmin(server.firstAdminPath().split('#')[1] ?? '');
  });

  after(async () => {
    for (const step of undo.reverse()) await step();
  });

  it('when it is restarted', async (t) => {
    await outage(t, {
      begin: () => postgres.end('SIGINT'),
      end: () => postgres.start(),
    });
  });

  it('when it is killed', async (t) => {
    await outage(t, {
      begin: () => postgres.end('SIGKILL'),
      end: () => postgres.start(),
    });
  });

  it('when its connections are ended one after another', async (t) => {
    const database = connect({ dataDir: '', databaseUrl: postgres.url });
    t.after(() => database.destroy());
    const others = sql`select pg_terminate_backend(pid) from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid()`;
    const end = async () => void (await others.execute(database));
    await outage(t, { begin: end, end, lasting: false });
  });

  it('when it is frozen: requests are refused at once as soon as that is detected', async (t) => {
    await outage(t, {
      begin: async () => postgres.freeze(),
      end: async () => postgres.thaw(),
    });
  });

  it('when its network drops all packets, and the old connections stay dead', async (t) => {
    await outage(t, {
      begin: async () => network.set('swallow'),
      end: async () => network.set('forward'),
    });
  });

  /**
   * Lets the clients write, breaks PostgreSQL, repairs it, and checks that every response was 201 or 503.
   * @param lasting true if nothing can be written between `begin` and `end`
   */
  async function outage(
    t: { diagnostic(text: string): void },
    { begin, end, lasting = true }: { begin(): Promise<void>; end(): Promise<void>; lasting?: boolean },
  ) {
    const writes: Write[] = [];
    let over = false;
    const writing = Array.from({ length: clients }, (_, client) => write(client));

    async function write(client: number) {
      while (!over) {
        const begun = performance.now();
        const response = await admin.fetch(paths.documents.activityItems('mindActsList'), {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(sampleActivity({ title: `De ${client}` })),
        });
        const { id } = (await response.json()) as { id?: string };
        writes.push({ client, status: response.status, id, begun, ended: performance.now() });
        await wait(pauseMs);
      }
    }

    const everyClient = async (condition: (write: Write) => boolean) => {
      const done = () => new Set(writes.filter(condition).map(({ client }) => client)).size === clients;
      while (!done()) {
        await Promise.race([wait(20), ...writing]);
        assert.ok(server.isRunning(), `the process has ended:\n${server.log()}`);
      }
    };

    await everyClient(({ status }) => status === 201);
    const brokenAt = performance.now();
    await begin();
    let knownAt = Number.POSITIVE_INFINITY;
    if (lasting) {
      await everyClient(({ status, begun }) => status === 503 && begun > brokenAt);
      knownAt = performance.now();
      const until = knownAt + leastAwayMs;
      await everyClient(({ status, begun }) => status === 503 && begun > until);
    }
    const returning = performance.now();
    await end();
    const returnedAt = performance.now();
    await everyClient(({ status, begun }) => status === 201 && begun > returning);
    const wellAt = performance.now();
    over = true;
    await Promise.all(writing);

    const refusals = writes.filter(({ status }) => status === 503);
    const slowest = Math.max(0, ...refusals.map(({ begun, ended }) => ended - begun));
    t.diagnostic(
      `away ${Math.round(returning - brokenAt)} ms; ${refusals.length} refused, the slowest after ` +
        `${Math.round(slowest)} ms; well ${Math.round(wellAt - returnedAt)} ms after its return`,
    );
    assert.deepEqual(
      writes.filter(({ status }) => status !== 201 && status !== 503),
      [],
      server.log(),
    );
    assert.ok(slowest < refusedWithinMs, `a request was refused after ${slowest} ms`);
    const late = refusals.find(({ begun, ended }) => begun > knownAt && ended - begun > refusedAtOnceMs);
    assert.equal(late, undefined, 'a request waited although PostgreSQL was known to be unreachable');
    assert.ok(wellAt - returnedAt < wellWithinMs, `recovered after ${wellAt - returnedAt} ms`);
    for (const { id, status } of writes) if (status === 201 && id) acknowledged.add(id);
    await assertNothingLost();
    assert.equal((await admin.fetch('/readyz')).status, 200);
  }

  async function assertNothingLost() {
    const stored = new Set<string>();
    for (const list of listNames) {
      const response = await admin.client.documents.getActivities(list);
      for (const { id } of response.activities) stored.add(id);
    }
    assert.deepEqual(
      [...acknowledged].filter((id) => !stored.has(id)),
      [],
    );
  }
});
