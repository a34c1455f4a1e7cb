import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { Gauge, Registry } from 'prom-client';
import { type BackupPlace, createBackupPlace } from '#server/testing/backups/backups.ts';
import { allDatabaseKinds, createTestDatabase } from '#server/testing/databases.ts';
import { startTestServer, type TestServer, visitorAt } from '#server/testing/server.ts';
import { startServerProcess } from '#server/testing/server-process.ts';
import { mp3, storageOf } from '#server/testing/storage.ts';
import { until } from '#server/testing/until.ts';
import { readEnvironment } from '../environment.ts';
import type { BackupSettings } from '../environment-backup.ts';
import { openFileStore } from '../storage/store/open-file-store.ts';
import { backUpWhenDue } from './back-up-when-due.ts';
import { addBackupMetrics } from './metrics.ts';
import { lastTimeAt, listRuns } from './runs.ts';
import { startBackupSchedule } from './schedule.ts';
import { listSnapshots } from './snapshot/manifests.ts';
import { manifestObject, snapshotFolder, snapshotName } from './snapshot/snapshot-format.ts';
import { findSnapshot } from './snapshot/snapshot-times.ts';
import { checkSnapshot } from './verify.ts';

const hour = 60 * 60_000;
const day = 24 * hour;
/** 03:30 in Brasília. */
const slot = Date.UTC(2026, 10, 23, 6, 30);
const uninterrupted = new AbortController().signal;

for (const kind of allDatabaseKinds) {
  describe(`the schedule of backups on ${kind}`, { concurrency: true }, () => {
    it('makes one backup a day at the wanted time, with two instances, and deletes old ones', async (t) => {
      const server = await startTestServer(t, kind);
      const { place, look, clock } = await scheduleOf(t, server);
      const counts: number[] = [];
      for (const time of [
        slot - 1,
        slot,
        slot + hour,
        slot + 23 * hour,
        slot + day,
        slot + 2 * day,
        slot + 40 * day,
        slot + 41 * day,
      ]) {
        clock.now = time;
        await look();
        counts.push((await listSnapshots(place.store)).length);
      }
      // The first is made at once. Day 40 deletes none, because one recent backup can have a wrong time.
      assert.deepEqual(counts, [1, 2, 2, 2, 3, 4, 5, 2]);
    });

    it('tries again an hour after a failure, and not at every look', async (t) => {
      const server = await startTestServer(t, kind);
      const { look, clock, failures, fail } = await scheduleOf(t, server);
      clock.now = slot;
      fail(true);
      for (const minutes of [0, 1, 30, 59, 61]) {
        clock.now = slot + minutes * 60_000;
        await look();
      }
      assert.ok(failures.length >= 2);
      const tried = await server.database.selectFrom('backupRuns').select('startedAt').execute();
      assert.deepEqual(
        tried.map(({ startedAt }) => startedAt),
        [slot, slot + 61 * 60_000],
      );
      fail(false);
      clock.now = slot + 3 * hour;
      await look();
      const runs = await server.database.selectFrom('backupRuns').selectAll().execute();
      assert.equal(runs.filter(({ finishedAt }) => finishedAt !== null).length, 1);
    });

    it('checks every byte once a week', async (t) => {
      const server = await startTestServer(t, kind);
      const { look, clock } = await scheduleOf(t, server);
      const verified: number[] = [];
      for (let days = 0; days < 16; days += 1) {
        clock.now = slot + days * day;
        await look();
        const runs = await server.database.selectFrom('backupRuns').selectAll().execute();
        verified.push(runs.filter(({ verifiedAt }) => verifiedAt !== null).length);
      }
      assert.deepEqual(verified, [1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2]);
    });

    it('shows the damage that a check finds, and the next backup repairs it', async (t) => {
      const server = await startTestServer(t, kind);
      const storage = storageOf(await server.join('admin'));
      assert.equal((await storage.upload('postAudios/mind/ouvir', mp3(20_000))).status, 204);
      const { look, clock, place, failures } = await scheduleOf(t, server);
      const registry = new Registry();
      addBackupMetrics(server.database, Gauge, registry, () => clock.now);
      const shown: string[] = [];
      const lookAfter = async (days: number) => {
        clock.now = slot + days * day;
        await look();
        const [, value = ''] = /^acolhe_backup_damaged_parts (.*)$/m.exec(await registry.metrics()) ?? [];
        shown.push(value);
      };
      shown.push(/^acolhe_backup_damaged_parts (.*)$/m.exec(await registry.metrics())?.[1] ?? '');
      await lookAfter(0);
      const [content = ''] = (await place.store.list('contents/')).keys();
      const file = path.join(place.folder, content);
      const bytes = await readFile(file);
      bytes.writeUInt8(bytes.readUInt8(9_000) ^ 1, 9_000);
      await writeFile(file, bytes);
      for (const days of [1, 8, 9]) await lookAfter(days);
      assert.deepEqual(shown, ['Nan', '0', '0', '1', '0']);
      assert.equal(failures.length, 1);
      assert.match(String(failures[0]), new RegExp(`está danificado: ${content}`));

      // A check that cannot read the manifest reports damage, too.
      const snapshot = (await listSnapshots(place.store)).at(-1) ?? '';
      await truncate(path.join(place.folder, manifestObject(snapshot)), 100);
      await assert.rejects(
        checkSnapshot(server.database, place.store, snapshot, { now: clock.now, signal: uninterrupted }),
        {
          name: 'StartError',
          message: /está danificado: a lista das suas partes/,
        },
      );
      assert.match(await registry.metrics(), /^acolhe_backup_damaged_parts 1$/m);
    });

    it('stores the deletion of an account beside the backups at the next look', async (t) => {
      const server = await startTestServer(t, kind);
      const { look, clock, place } = await scheduleOf(t, server);
      const user = await server.join();
      clock.now = slot;
      await look();
      await user.client.auth.deleteAccount({ password: user.password });
      await look();
      assert.equal((await place.store.list('deleted-accounts/')).size, 1);
      const stored = await server.database.selectFrom('deletedAccounts').select('storedAt').execute();
      assert.deepEqual(
        stored.map(({ storedAt }) => storedAt),
        [slot],
      );
    });

    it('uses one place when each of two machines has a folder of its own', async (t) => {
      const server = await startTestServer(t, kind);
      const another = await createBackupPlace(t);
      const { instances, clock, place, failures } = await scheduleOf(t, server, another);
      const user = await server.join();
      const [right, wrong] = instances;
      await right?.checkDue();
      await user.client.auth.deleteAccount({ password: user.password });
      clock.now = slot + day;
      for (const instance of [wrong, wrong, right, wrong]) await instance?.checkDue();
      assert.equal(failures.length, 1);
      assert.match(String(failures[0]), /não está o lugar dos backups.*--new-place\.$/);
      assert.equal((await listSnapshots(place.store)).length, 2);
      assert.equal((await place.store.list('deleted-accounts/')).size, 1);
      assert.equal((await another.store.list('')).size, 0);
    });

    it('continues after a day with a clock far ahead, and keeps the earlier backups', async (t) => {
      const server = await startTestServer(t, kind);
      const { place, look, clock, log } = await scheduleOf(t, server);
      const lookAt = async (time: number) => {
        clock.now = time;
        await look();
        const snapshots = await listSnapshots(place.store);
        const runs = await listRuns(server.database, time);
        return { snapshots, last: runs[0]?.snapshot, runs };
      };
      for (const days of [0, 1, 2]) await lookAt(slot + days * day);
      const wrong = await lookAt(slot + 2_000 * day);
      const ahead = snapshotName(new Date(slot + 2_000 * day));
      assert.equal(wrong.snapshots.length, 4);
      assert.equal(wrong.last, ahead);

      const right = await lookAt(slot + 3 * day);
      assert.equal(right.snapshots.length, 5);
      assert.equal(right.last, snapshotName(new Date(slot + 3 * day)));
      assert.match(log.at(-1) ?? '', new RegExp(`relógio adiantado.* apague snapshots/${ahead} em`));
      // Without a given time, `findSnapshot` chooses none, because it may be today's clock that is wrong.
      const find = (at: string | undefined) => findSnapshot(place.store, at, { now: clock.now });
      await assert.rejects(find(undefined), { name: 'StartError', message: /tem a data no futuro/ });
      assert.equal(await find('2026-12-01'), right.last);
      assert.equal(await find('2040-01-01'), ahead);

      for (let days = 4; days <= 40; days += 1) await lookAt(slot + days * day);
      const { snapshots, runs } = await lookAt(slot + 41 * day);
      assert.equal(snapshots.length, 36 + 1);
      assert.ok(snapshots.includes(ahead));
      assert.ok(Math.max(...runs.map(({ verifiedAt }) => verifiedAt ?? 0)) > clock.now - 7 * day);
      await rm(path.join(place.folder, snapshotFolder(ahead)), { recursive: true });
      assert.equal(await find(undefined), snapshots.at(-2));
    });

    it('leaves the backup to the newer program that has migrated the database, and says so once', async (t) => {
      const server = await startTestServer(t, kind);
      const { look, clock, failures, place } = await scheduleOf(t, server);
      await sql`insert into kysely_migration values ('999-futuro', '2030-01-01T00:00:00.000Z')`.execute(
        server.database,
      );
      for (const minutes of [0, 1, 2]) {
        clock.now = slot + minutes * 60_000;
        await look();
      }
      assert.deepEqual(await listSnapshots(place.store), []);
      // Each of the two instances reports once that it leaves the backup to a newer one.
      assert.deepEqual(
        failures.map((failure) => (failure as Error).message.slice(0, 33)),
        Array(2).fill('O backup do dia fica para um serv'),
      );
    });

    it('does not begin the weekly check after the server has stopped', async (t) => {
      const server = await startTestServer(t, kind);
      const { context: given, place } = await contextOf(t, server);
      const context = { ...given, environment: { ...given.environment, backup: place.settings } };
      const stop = new AbortController();
      // The first call of `now` after the manifest is written stops the server before it checks the backup.
      const now = () => {
        const made = readdirSync(place.folder, { recursive: true }).join().includes('manifest.jsonl');
        if (made) stop.abort(new Error('the server stops'));
        return slot;
      };
      await assert.rejects(backUpWhenDue(context, { dueAt: slot, signal: stop.signal, now }), {
        message: 'the server stops',
      });
      const runs = await server.database.selectFrom('backupRuns').selectAll().execute();
      assert.ok(runs.every(({ verifiedAt }) => verifiedAt === null));
    });

    it('makes backups in a separate process of the server, and the metrics show them', async (t) => {
      const { dataDir, databaseUrl, remove } = await createTestDatabase(kind);
      t.after(remove);
      const place = await createBackupPlace(t);
      const METRICS_TOKEN = 'a token of the tests, long enough to be one';
      const server = await startServerProcess(dataDir, {
        ...place.variables,
        ...(databaseUrl && { DATABASE_URL: databaseUrl }),
        BACKUP_AT: '03:30',
        METRICS_TOKEN,
      });
      t.after(() => server.kill());
      await until(async () => (await listSnapshots(place.store)).length === 1);
      const metrics = async () =>
        (
          await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
        ).text();
      await until(async () => /^acolhe_backup_last_verified_seconds \d/m.test(await metrics()));
      const text = await metrics();
      for (const name of ['last_success_seconds', 'last_duration_seconds', 'last_stored_bytes'])
        assert.match(text, new RegExp(`^acolhe_backup_${name} [0-9.e+]+$`, 'm'));
      assert.equal((await visitorAt(server.url, server.url).fetch('/')).status, 200);
      await server.stop();
      assert.equal((await readdir(path.join(place.folder, 'snapshots'))).length, 1);
    });

    it('does not delay the stop of the server, even if its process does not react', async (t) => {
      const { dataDir, databaseUrl, remove } = await createTestDatabase(kind);
      t.after(remove);
      const place = await createBackupPlace(t);
      const server = await startServerProcess(dataDir, {
        ...place.variables,
        ...(databaseUrl && { DATABASE_URL: databaseUrl }),
        BACKUP_AT: '03:30',
      });
      t.after(() => server.kill());
      const read = (file: string) => readFile(`/proc/${file}`, 'utf8').catch(() => '');
      let backup = '';
      await until(async () => {
        const children = await read(`${server.pid}/task/${server.pid}/children`);
        for (const pid of children.split(' ').filter(Boolean))
          if ((await read(`${pid}/cmdline`)).includes('scheduled-backup')) backup = pid;
        // Once this file exists, the process handles SIGTERM, so the signal alone does not end it.
        return backup !== '' && existsSync(path.join(place.folder, 'installation'));
      });
      process.kill(Number(backup), 'SIGSTOP');
      // Rejects if the server does not stop in time.
      await server.stop();
    });
  });
}

it('the schedule of backups follows the clock in Brasília', () => {
  const at = 3 * 60 + 30;
  assert.equal(lastTimeAt(at, slot), slot);
  assert.equal(lastTimeAt(at, slot - 1), slot - day);
  assert.equal(lastTimeAt(23 * 60 + 59, Date.UTC(2026, 10, 23, 2, 58)), Date.UTC(2026, 10, 22, 2, 59));
  assert.equal(lastTimeAt(0, Date.UTC(2026, 10, 23, 3)), Date.UTC(2026, 10, 23, 3));
});

/** Returns what a backup of a server needs, except the settings of backups. */
async function contextOf(t: TestContext, server: TestServer) {
  const place = await createBackupPlace(t);
  const { database, kind, dataDir, databaseUrl, authSecret } = server;
  const environment = { ...readEnvironment({}), dataDir, databaseUrl };
  const fileStore = await openFileStore(environment);
  t.after(() => fileStore.close());
  return { place, context: { environment, database, databaseKind: kind, fileStore, authSecret } };
}

/**
 * Starts two instances. They share a place, unless `placeOfSecond` is given. The test sets their clock.
 * They check whether a backup is due only when the test calls `look`.
 */
async function scheduleOf(t: TestContext, server: TestServer, placeOfSecond?: BackupPlace) {
  const { place, context } = await contextOf(t, server);
  const { environment, database } = context;
  const clock = { now: slot };
  const now = () => clock.now;
  const failures: unknown[] = [];
  const log: string[] = [];
  let failing = false;
  const run = async (backup: BackupSettings, dueAt: number) => {
    const settings = failing ? { ...backup, destination: { folder: '/dev/null/nowhere' } } : backup;
    const options = { dueAt, signal: uninterrupted, now };
    const sentence = await backUpWhenDue(
      { ...context, environment: { ...environment, backup: settings } },
      options,
    );
    if (sentence !== undefined) log.push(sentence);
  };
  const instances = [place, placeOfSecond ?? place].map(({ settings }) => {
    const backup = { ...settings, atMinute: 3 * 60 + 30 };
    const instance = startBackupSchedule({
      database,
      backup,
      run: (dueAt) => run(backup, dueAt),
      now,
      report: (error) => failures.push(error),
    });
    // Stops the regular checks, because one could run during a slow test.
    instance.stop();
    return instance;
  });
  const look = async () => void (await Promise.all(instances.map((instance) => instance.checkDue())));
  const fail = (fails: boolean) => {
    failing = fails;
  };
  return { place, clock, look, instances, failures, fail, log };
}
