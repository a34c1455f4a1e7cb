import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import { Gauge, Registry } from 'prom-client';
import { backUpServer, createBackupPlace } from '#server/testing/backups/backups.ts';
import { allDatabaseKinds } from '#server/testing/databases.ts';
import { startTestServer } from '#server/testing/server.ts';
import type { DatabaseKind } from '../database/connect.ts';
import { addBackupMetrics } from './metrics.ts';
import type { BackupStore } from './place/backup-store.ts';
import { createLineWriter } from './snapshot/digested-lines.ts';
import { listSnapshots } from './snapshot/manifests.ts';
import { formatVersion, manifestObject, snapshotFolder, snapshotName } from './snapshot/snapshot-format.ts';

const day = 24 * 60 * 60_000;
const start = Date.UTC(2026, 10, 23, 6, 30);
/** An object that no snapshot needs. The deletion of a snapshot can leave such an object behind. */
const oldPart = 'contents/aa/1.age';

for (const kind of allDatabaseKinds) {
  describe(`old backups on ${kind}`, () => {
    it('are shown by the metrics as not deleted, while a part of them cannot be deleted', async (t) => {
      const { place, backUpOn } = await startClock(t, kind);
      assert.equal(await backUpOn(0), 0);
      await place.store.write(oldPart, Readable.from(['old']));
      const part = path.join(place.folder, oldPart);
      // No program can delete a file on which another file is mounted.
      execFileSync('mount', ['--bind', part, part]);
      try {
        for (const days of [1, 2]) assert.equal(await backUpOn(days), 0);
      } finally {
        execFileSync('umount', [part]);
      }
      assert.equal(await backUpOn(3), 3);
      assert.equal((await place.store.list('contents/')).size, 0);
    });

    it('are no longer deleted by a process that has lost its lease, and the next backup deletes the rest', async (t) => {
      const { server, place } = await startClock(t, kind);
      const folder = path.join(place.folder, 'contents/aa');
      await mkdir(folder, { recursive: true });
      const names = Array.from({ length: 3_000 }, (_, index) => `${index}.age`);
      for (const name of names) await writeFile(path.join(folder, name), '');
      t.mock.timers.enable({ apis: ['setInterval'] });
      const loseLease = async () => {
        await server.database.updateTable('leases').set({ holder: 'another process' }).execute();
        // Moves the clock past the time after which a process renews its lease.
        t.mock.timers.tick(11_000);
      };
      let losing: Promise<void> | undefined;
      const made = await backUpServer(server, place, {
        progress(_done, _all, counted) {
          if (counted === 'partes antigas apagadas') losing ??= loseLease();
        },
      });
      t.mock.timers.reset();
      await losing;
      assert.deepEqual(made?.leftOld, {});
      const left = (await place.store.list('contents/')).size;
      assert.ok(left > 0 && left < names.length, `${left}`);
      await server.database.deleteFrom('leases').execute();
      const next = await backUpServer(server, place);
      assert.equal(next?.leftOld, undefined);
      assert.equal((await place.store.list('contents/')).size, 0);
    });

    it('are shown as not deleted while a manifest is damaged, because its contents are unknown', async (t) => {
      const { place, backUpOn } = await startClock(t, kind);
      assert.equal(await backUpOn(0), 0);
      const [snapshot = ''] = await listSnapshots(place.store);
      await truncate(path.join(place.folder, manifestObject(snapshot)), 100);
      assert.equal(await backUpOn(1), 0);
      assert.equal(await backUpOn(35), 0);
      assert.equal(await backUpOn(36), 36);
    });

    it('are shown as not deleted while there is a backup of a newer release, whose parts are unknown', async (t) => {
      const { place, backUpOn } = await startClock(t, kind);
      assert.equal(await backUpOn(0), 0);
      const snapshot = snapshotName(new Date(start + day / 2));
      await place.store.write(oldPart, Readable.from(['of the newer program']));
      await writeNewerManifest(place.store, snapshot);
      for (const days of [1, 35]) assert.equal(await backUpOn(days), 0);
      assert.ok((await listSnapshots(place.store)).includes(snapshot));
      assert.equal((await place.store.list('contents/')).size, 1);
      assert.equal(await backUpOn(36), 36);
      assert.equal((await place.store.list('contents/')).size, 0);
    });

    it('are shown as not deleted after weeks without a backup, until a second day has one', async (t) => {
      const { place, backUpOn } = await startClock(t, kind);
      for (const days of [0, 1]) assert.equal(await backUpOn(days), days);
      assert.equal(await backUpOn(40), 1);
      assert.equal((await listSnapshots(place.store)).length, 3);
      assert.equal(await backUpOn(41), 41);
      assert.equal((await listSnapshots(place.store)).length, 2);
    });

    it('are shown as not deleted while the date of one is in the future', async (t) => {
      const { place, backUpOn } = await startClock(t, kind);
      for (const days of [0, 50, 1, 2]) assert.equal(await backUpOn(days), 0);
      const ahead = (await listSnapshots(place.store)).at(-1) ?? '';
      await rm(path.join(place.folder, snapshotFolder(ahead)), { recursive: true });
      assert.equal(await backUpOn(3), 3);
    });
  });
}

/** Writes a manifest in a newer format, as a newer program could. */
async function writeNewerManifest(store: BackupStore, snapshot: string) {
  const lines: string[] = [];
  const writer = createLineWriter(async (line) => void lines.push(line));
  await writer.add({ manifest: { formatVersion: formatVersion + 1, program: '9.0.0', parts: 1 } });
  await writer.add({ part: oldPart });
  await writer.end();
  await store.write(manifestObject(snapshot), Readable.from(lines));
}

/** Starts a server whose backups use a clock that the test sets. */
async function startClock(t: TestContext, kind: DatabaseKind) {
  const server = await startTestServer(t, kind);
  const place = await createBackupPlace(t);
  let now = start;
  const registry = new Registry();
  addBackupMetrics(server.database, Gauge, registry, () => now);
  /**
   * Makes a backup on this day.
   * @returns the last day on which old backups were deleted, according to the metrics
   */
  const backUpOn = async (days: number) => {
    now = start + days * day;
    assert.ok(await backUpServer(server, place, { now: () => now }));
    const [, shown] = /^acolhe_backup_old_deleted_seconds (.*)$/m.exec(await registry.metrics()) ?? [];
    return (Number(shown) * 1_000 - start) / day;
  };
  return { server, place, backUpOn };
}
