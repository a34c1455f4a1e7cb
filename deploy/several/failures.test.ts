import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { report } from '#hard/figures.ts';
import { isDatabaseAway } from '#server/database/away.ts';
import { connect, migrate } from '#server/database/connect.ts';
import { countStatuses, type Outcome } from './outcomes.ts';
import { lockSeconds, type PostgresNode, psql } from './postgres-cluster.ts';
import { type Site, startSite } from './site.ts';
import { startSlowUploads } from './slow-uploads.ts';
import { startTraffic, type Traffic } from './traffic.ts';

/** The longest time from a failure of PostgreSQL until all clients can write again. */
const mostSecondsToWrite = 15;
/** A lost or paused machine keeps the leader lock until it expires. Only then can the standby be promoted. */
const mostSecondsWithoutMachine = lockSeconds + mostSecondsToWrite;
const frozenMs = 30_000;
/** The longest time until a primary that has lost the leader lock becomes a standby. */
const mostMsToStepDown = 45_000;
/** Within this time, an instance notices that PostgreSQL is unreachable. Then it refuses requests at once. */
const detectedMs = 8_000;
const refusedAtOnceMs = 1_500;

describe('under the load of clients that write, upload, sign in and read', () => {
  let site: Site;

  before(async () => {
    site = await startSite();
  });
  after(() => site?.stop());

  it('a migration on the standby fails like one on a database that is away, so that the start tries again', async (t) => {
    await site.cluster.createDatabase('empty');
    const { standby } = await site.cluster.whole();
    while (!(await hasDatabase(standby, 'empty'))) await wait(50);
    const databaseUrl = `postgres://acolhe@127.0.0.1:${standby.port}/empty`;
    const database = connect({ dataDir: '', databaseUrl });
    t.after(() => database.destroy());
    await assert.rejects(migrate(database), isDatabaseAway);
  });

  it('a killed instance fails only the changes that it was working on', async () => {
    const [instance] = site.instances;
    assert.ok(instance);
    let killedAt = 0;
    const { outcomes } = await load('an instance is killed', async (traffic) => {
      await instance.kill();
      killedAt = performance.now();
      await traffic.flows('writer');
      await site.ready(2);
      await instance.start();
      await site.ready(3);
    });
    const failed = failures(outcomes);
    report('an instance is killed, failed changes', `${failed.length}`, 'only those under way');
    assert.deepEqual(
      failed.filter(({ method, begun }) => method === 'GET' || method === 'HEAD' || begun > killedAt),
      [],
    );
  });

  it('a rolling restart fails no request', async () => {
    const uploads = startSlowUploads(site);
    let slow = 0;
    const { outcomes } = await load('a rolling restart', async (traffic) => {
      for (const instance of site.instances) {
        await uploads.flow();
        await instance.stop();
        await instance.start();
        await site.ready(3);
        await traffic.flows('writer');
      }
      slow = await uploads.stop();
    });
    const failed = failures(outcomes);
    report(
      'a rolling restart of 3 instances, failed requests',
      `${failed.length} of ${outcomes.length}`,
      '0',
    );
    report('a rolling restart of 3 instances, slow uploads', `${slow} complete`, 'all');
    assert.deepEqual(failed, []);
  });

  it('when PostgreSQL of the primary is killed, the standby takes over', async () => {
    const { primary, standby } = await site.cluster.whole();
    await failOver('PostgreSQL of the primary is killed', {
      begin: async () => primary.killPostgres(),
      promoted: standby,
      mostSeconds: mostSecondsToWrite,
    });
    await site.cluster.whole();
    await assertFenced(primary);
  });

  it('when the machine of the primary is lost, the standby takes over', async () => {
    const { primary, standby } = await site.cluster.whole();
    await failOver('the machine of the primary is lost', {
      begin: () => primary.kill(),
      promoted: standby,
      mostSeconds: mostSecondsWithoutMachine,
      end: () => primary.start(),
    });
    await site.cluster.whole();
    await assertFenced(primary);
  });

  it('when the machine of the primary is paused, the standby takes over, and the old primary acknowledges nothing', async () => {
    const { primary, standby } = await site.cluster.whole();
    let acknowledged = 0;
    await failOver('the machine of the primary is paused', {
      begin: async () => primary.freeze('machine'),
      promoted: standby,
      mostSeconds: mostSecondsWithoutMachine,
      async end() {
        primary.thaw();
        const giveUpAt = performance.now() + mostMsToStepDown;
        // The old PostgreSQL still acts as the primary, until its Patroni notices that it has lost the lock.
        while (!(await isStandby(primary))) {
          if (await canWrite(primary)) acknowledged += 1;
          if (performance.now() > giveUpAt)
            throw new Error(`The old primary stays one:\n${primary.log()}\n${standby.log()}`);
        }
      },
    });
    report('the old primary after its pause, acknowledged writes', `${acknowledged}`, '0');
    assert.equal(acknowledged, 0);
    await site.cluster.whole();
    await assertFenced(primary);
  });

  it(`when PostgreSQL is frozen for ${frozenMs / 1000} s, requests fail without delay, and succeed again afterwards`, async () => {
    const { nodes } = site.cluster;
    let frozenAt = 0;
    let thawedAt = 0;
    const { outcomes } = await load('PostgreSQL is frozen', async (traffic) => {
      frozenAt = performance.now();
      for (const node of nodes) node.freeze();
      await wait(frozenMs);
      thawedAt = performance.now();
      for (const node of nodes) node.thaw();
      await traffic.flows('writer');
      reportSeconds('PostgreSQL frozen for 30 s, until all write again', thawedAt, mostSecondsToWrite);
    });
    assertOnly503(outcomes);
    const late = outcomes.filter(
      ({ begun, ended }) =>
        begun > frozenAt + detectedMs && begun < thawedAt && ended - begun > refusedAtOnceMs,
    );
    const slowest = Math.max(...refused(outcomes).map(({ begun, ended }) => ended - begun));
    report('PostgreSQL frozen for 30 s, the slowest 503', `${Math.round(slowest)} ms`);
    assert.deepEqual(late, []);
    await site.cluster.whole();
  });

  it('when S3 is unavailable, uploads get 503 and everything else works', async () => {
    const { outcomes, uploadsRefused } = await load('S3 is away', async (traffic) => {
      await site.s3.stop();
      while (!traffic.outcomes.some(isUploadRefused)) await wait(50);
      await traffic.flows('writer');
      await traffic.flows('favourites');
      await traffic.flows('list');
      await traffic.flows('page');
      await site.s3.start();
      await traffic.flows('upload', 120_000);
    }).then((traffic) => ({ ...traffic, uploadsRefused: traffic.outcomes.filter(isUploadRefused).length }));
    const others = failures(outcomes).filter((one) => !isUploadRefused(one));
    report('S3 is away, refused uploads', `${uploadsRefused}`);
    report('S3 is away, other failed requests', `${others.length}`, '0');
    assert.deepEqual(others, []);
  });

  /** Runs `during` under load, then checks that no response was wrong and nothing acknowledged is lost. */
  async function load(what: string, during: (traffic: Traffic) => Promise<void>): Promise<Traffic> {
    const traffic = startTraffic(site);
    try {
      await traffic.flows();
      await during(traffic);
      await traffic.flows();
    } catch (error) {
      traffic.abandon();
      throw error;
    }
    await traffic.stop();
    report(`${what}, requests`, countStatuses(traffic.outcomes));
    report(`${what}, lost`, `0 of ${traffic.acknowledged} activities, ${traffic.files} files`, '0');
    assert.deepEqual(traffic.wrong, []);
    for (const instance of site.instances) assert.ok(instance.isRunning(), instance.log());
    return traffic;
  }

  async function failOver(
    what: string,
    {
      begin,
      promoted,
      mostSeconds,
      end,
    }: { begin(): Promise<void>; promoted: PostgresNode; mostSeconds: number; end?(): unknown },
  ) {
    const pids = site.instances.map(({ pid }) => pid());
    const { outcomes } = await load(what, async (traffic) => {
      const lostAt = performance.now();
      await begin();
      while (!(await promoted.isPrimary())) await wait(50);
      report(`${what}, until the standby is the primary`, secondsSince(lostAt));
      await traffic.flows('writer');
      reportSeconds(`${what}, until all write again`, lostAt, mostSeconds);
      await end?.();
    });
    assertOnly503(outcomes);
    assert.deepEqual(
      site.instances.map(({ pid }) => pid()),
      pids,
      'no instance was restarted',
    );
  }
});

const succeeded = ({ status }: Outcome) => (status >= 200 && status < 300) || status === 304;
/** True if a client sent a wrong upload offset after a lost response. It then uses the stored offset. */
const isConflict = ({ status, method }: Outcome) => status === 409 && method === 'PATCH';
const failures = (outcomes: readonly Outcome[]) =>
  outcomes.filter((one) => !succeeded(one) && !isConflict(one));
const refused = (outcomes: readonly Outcome[]) => outcomes.filter(({ status }) => status === 503);
const isUploadRefused = ({ status, path }: Outcome) => status === 503 && path.startsWith('/api/storage/');

function assertOnly503(outcomes: readonly Outcome[]) {
  assert.deepEqual(
    failures(outcomes).filter(({ status }) => status !== 503),
    [],
  );
}

/** Reports the seconds since `since`, and checks that they are fewer than `most`. */
function reportSeconds(what: string, since: number, most: number) {
  report(what, secondsSince(since), `${most} s`);
  assert.ok(performance.now() - since < most * 1_000, `${what}: ${secondsSince(since)}`);
}

const secondsSince = (since: number) => `${((performance.now() - since) / 1_000).toFixed(1)} s`;

const insert = `insert into "activityLists" (name, version, "lastPosition") values (gen_random_uuid(), 1, 1)`;

/** Tries to write directly on a node, not through HAProxy. */
async function canWrite({ port }: PostgresNode): Promise<boolean> {
  try {
    await psql(port, `begin; ${insert}; commit`, 'acolhe', 1_000);
    return true;
  } catch {
    return false;
  }
}

async function isStandby({ port }: PostgresNode): Promise<boolean> {
  try {
    return (await psql(port, 'select pg_is_in_recovery()')) === 't';
  } catch {
    return false;
  }
}

const hasDatabase = async ({ port }: PostgresNode, name: string) =>
  (await psql(port, `select count(*) from pg_database where datname = '${name}'`)) === '1';

/** Checks that the old primary is a standby, which refuses writes. */
async function assertFenced(node: PostgresNode) {
  assert.ok(await isStandby(node));
  await assert.rejects(psql(node.port, insert, 'acolhe'), /read-only transaction/);
}
