import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import {
  type BackupPlace,
  backUpServer,
  createBackupPlace,
  createTarget,
  hasUsers,
  restoreInto,
  rewriteSnapshot,
} from '#server/testing/backups/backups.ts';
import {
  backedUpClinic,
  credentialsOf,
  requireWorking,
  startClinic,
  withServer,
} from '#server/testing/backups/clinic.ts';
import { runToEnd, startCommand } from '#server/testing/backups/commands.ts';
import { allDatabaseKinds } from '#server/testing/databases.ts';
import { s3Environment, startSwift } from '#server/testing/peers/swift.ts';
import { startTestServer, type TestServer, visitorAt } from '#server/testing/server.ts';
import { connect, type Database, migrate } from '../database/connect.ts';
import { withLease } from '../database/leases.ts';
import { tableRows } from '../database/rows/columns.ts';
import { writeRows } from '../database/rows/rows.ts';
import { digestTables, inSnapshot } from '../database/rows/snapshot.ts';
import { cleanUpFiles } from '../storage/clean-up.ts';
import { openFileStore } from '../storage/store/open-file-store.ts';
import { backUpContents } from './back-up-contents.ts';
import { deletionsKey, noteDeletion, readDeletions, storeDeletions } from './deletions.ts';
import { createEncryption } from './place/encryption.ts';

for (const kind of allDatabaseKinds) {
  const other = allDatabaseKinds.find((one) => one !== kind) ?? kind;

  describe(`backup and restore on ${kind}`, { concurrency: true }, () => {
    it('restore passwords, second factors, files, content, versions and usage records into an empty folder', async (t) => {
      const clinic = await startClinic(t, kind, { pictures: true, isRestored: true });
      const place = await createBackupPlace(t);
      await backUpServer(clinic.server, place);
      await requireWorking(t, clinic, place, await createTarget(t, kind));
    });

    it(`restore to ${other}, too`, async (t) => {
      const clinic = await startClinic(t, kind);
      const place = await createBackupPlace(t);
      await backUpServer(clinic.server, place);
      const target = await createTarget(t, other);
      await restoreInto(target, place);
      const digests = await inSnapshot(target, (rows) => digestTables(rows, 'backups'));
      const { dataDir, databaseUrl } = clinic.server;
      assert.deepEqual(
        digests,
        await inSnapshot({ dataDir, databaseUrl }, (rows) => digestTables(rows, 'backups')),
      );
    });

    it('keep a deleted account deleted, with all its data', async (t) => {
      const { server, patient, admin } = await startClinic(t, kind, { pictures: true, isRestored: true });
      const place = await createBackupPlace(t);
      await backUpServer(server, place);
      await patient.client.auth.deleteAccount({ password: patient.password });
      // Even an incomplete backup would store the deletion, because it does so before it reads the rows.
      await backUpServer(server, place);
      const [first = ''] = await readdir(path.join(place.folder, 'snapshots'));
      const target = await createTarget(t, kind);
      const { deletedAgain } = await restoreInto(target, place, { snapshot: first });
      assert.equal(deletedAgain, 1);
      await withServer(t, target, async (url) => {
        const { client } = visitorAt(url, url);
        await assert.rejects(client.auth.signIn(credentialsOf(patient)), {
          code: 'auth/invalid-credentials',
        });
        const files = path.join(target.dataDir, 'files');
        const kept = (await readdir(files, { recursive: true })).filter((name) => name.includes('/'));
        const pictures = await server.database.selectFrom('files').select('path').execute();
        assert.ok(pictures.every((file) => !file.path.includes(patient.uid)));
        assert.ok(kept.length > 0);
        assert.equal(await visitorAt(url, url).client.auth.signIn(credentialsOf(admin)), 'second-factor');
      });
    });

    it('refuse a target with data, and change nothing in it', async (t) => {
      const { server } = await startClinic(t, kind);
      const place = await createBackupPlace(t);
      await backUpServer(server, place);
      const { dataDir, databaseUrl } = server;
      const before = await inSnapshot({ dataDir, databaseUrl }, (rows) => digestTables(rows, 'moves'));
      const target = { ...(await createTarget(t, kind)), dataDir, databaseUrl };
      await assert.rejects(restoreInto(target, place), { name: 'StartError', message: /Já há dados/ });
      const after = await inSnapshot({ dataDir, databaseUrl }, (rows) => digestTables(rows, 'moves'));
      assert.deepEqual(after, before);
    });

    it('refuse a target that has only a practice, or only a file', async (t) => {
      const place = await createBackupPlace(t);
      await backUpServer(await startTestServer(t, kind), place);
      const target = await createTarget(t, kind);
      await mkdir(target.dataDir, { recursive: true });
      const database = connect(target);
      t.after(() => database.destroy());
      await migrate(database);
      for (const [table, values] of [
        ['activities', { list: 'mindActsList' }],
        ['files', { versions: '{}' }],
      ] as const) {
        await addRow(database, table, values);
        await assert.rejects(restoreInto(target, place), {
          name: 'StartError',
          message: new RegExp(`Já há dados .*\\(tabela ${table}\\)`),
        });
        const rows = await database.selectFrom(table).selectAll().execute();
        assert.equal(rows.length, 1);
        await database.deleteFrom(table).execute();
      }
      await database.destroy();
      await restoreInto(target, place);
    });

    it('store unchanged files once: the second backup adds at most a twentieth of the first', async (t) => {
      const { server, place } = await backedUpClinic(t, kind, { audioBytes: 2_000_000 });
      const { storedBytes: second } = (await backUpServer(server, place)) ?? { storedBytes: Number.NaN };
      const runs = await server.database.selectFrom('backupRuns').selectAll().orderBy('startedAt').execute();
      const [first] = runs;
      assert.ok(first && second <= first.storedBytes / 20, `${second} of ${first?.storedBytes}`);
      await restoreInto(await createTarget(t, kind), place);
    });

    it('fail when the content of an existing file is altered or missing, and name it', async (t) => {
      const { server } = await startClinic(t, kind);
      const place = await createBackupPlace(t);
      const { key } = await server.database
        .selectFrom('files')
        .select('key')
        .where('contentType', '=', 'audio/mpeg')
        .executeTakeFirstOrThrow();
      const file = path.join(server.dataDir, 'files', key.slice(0, 2), key);
      const content = await readFile(file);
      content.writeUInt8(content.readUInt8(700) ^ 1, 700);
      await writeFile(file, content);
      await assert.rejects(backUpServer(server, place), { name: 'ContentDamaged', message: new RegExp(key) });
      await rm(file);
      await assert.rejects(backUpServer(server, place), { name: 'ContentDamaged', message: new RegExp(key) });
      assert.deepEqual([...(await place.store.list('snapshots/')).keys()], []);
    });
  });
}

for (const kind of allDatabaseKinds) {
  describe(`backup on ${kind}`, { concurrency: true }, () => {
    it('opens with age, and contains no session, proof or unfinished upload', async (t) => {
      const { server, patient, place } = await backedUpClinic(t, kind);
      const [snapshot = ''] = await readdir(path.join(place.folder, 'snapshots'));
      const key = path.join(server.dataDir, 'key.txt');
      await writeFile(key, `# a comment, as age-keygen writes\n${place.identity}\n`);
      const { stdout, status } = spawnSync(
        'age',
        ['-d', '-i', key, path.join(place.folder, 'snapshots', snapshot, 'snapshot.age')],
        { maxBuffer: 100 * 1024 * 1024 },
      );
      assert.equal(status, 0);
      const text = gunzipSync(stdout).toString();
      assert.ok(text.includes(patient.email));
      for (const table of ['sessions', 'verifications', 'attempts', 'spentProofs', 'uploads', 'uploadProofs'])
        assert.ok(!text.includes(`"table":"${table}"`), table);
    });

    it('reveals nothing about users without the private key', async (t) => {
      const { patient, place } = await backedUpClinic(t, kind);
      const names = await readdir(place.folder, { recursive: true, withFileTypes: true });
      for (const entry of names.filter((one) => one.isFile())) {
        const content = await readFile(path.join(entry.parentPath, entry.name), 'latin1');
        for (const secret of [patient.email, patient.uid, 'Ana Lúcia', place.identity])
          assert.ok(!content.includes(secret) && !entry.name.includes(secret), entry.name);
      }
    });

    it('is stored in a bucket, and restored from it', async (t) => {
      const swift = await startSwift();
      t.after(() => swift.remove());
      const clinic = await startClinic(t, kind, { audioBytes: 9_000_000, isRestored: true });
      const place = await createBackupPlace(t, swift);
      // A site may keep its files in the same bucket. Its unfinished upload must survive the backup.
      const site = await openFileStore({ s3: swift, dataDir: clinic.server.dataDir });
      t.after(() => site.close());
      const [key, content] = ['ab'.repeat(20), Buffer.alloc(9_000_000, 7)];
      const state = await site.begin(key, content.length);
      await backUpServer(clinic.server, place);
      const listed: number[] = [];
      await backUpServer(clinic.server, place, {
        progress: (done, all) => void (all === undefined && listed.push(done)),
      });
      assert.equal(listed[0], (await place.store.list('contents/')).size);
      const upload = { key, state, sizeBytes: content.length };
      const writer = await site.write(upload, 0, new AbortController().signal);
      await writer.write(new Uint8Array(content));
      await writer.finish();
      assert.ok(content.equals(await buffer(await site.read(key))));
      await storeDeletedAccount(clinic.server, place);
      await requireWorking(t, clinic, place, await createTarget(t, kind));

      const target = await createTarget(t, kind);
      const keyFile = path.join(clinic.server.dataDir, 'key.txt');
      await writeFile(keyFile, place.identity);
      const settings = Object.entries(s3Environment(swift)).map(([name, value]) => [`BACKUP_${name}`, value]);
      const restoring = startCommand(target, place, 'restore', ['s3', '--key', keyFile], {
        ...Object.fromEntries(settings),
        BACKUP_DIR: '',
      });
      const { code, output } = await runToEnd(restoring);
      assert.equal(code, 0, output);
      assert.match(output, /^Backup de .*, tudo conferido\.$/m);
      assert.equal(await hasUsers(target), true);
    });

    it('leaves out a content that was deleted with its file after the rows had been read', async (t) => {
      const { server, place } = await backedUpClinic(t, kind);
      const { database, dataDir } = server;
      const fileStore = await openFileStore({ s3: undefined, dataDir });
      const encrypt = await createEncryption(place.settings.recipients);
      const gone = { key: 'ab'.repeat(20), bytes: 7, sha256: undefined };
      const copied: unknown[] = [];
      await backUpContents(
        { database, fileStore, store: place.store, encrypt },
        [gone],
        { find: (name) => ({ name }), signal: new AbortController().signal },
        async (one) => void copied.push(one),
      );
      assert.deepEqual(copied, [{ leftOut: gone.key }]);
      await rewriteSnapshot(place, (line) => ('content' in line ? { leftOut: line.content.key } : line));
      const target = await createTarget(t, kind);
      const { contents, dangling } = await restoreInto(target, place);
      assert.equal(contents, 0);
      assert.deepEqual(dangling, ['postAudios/mind/respirar']);
    });

    it('keeps the contents of deleted files while it is made; the clean-up removes them afterwards', async (t) => {
      const { server, admin, place } = await backedUpClinic(t, kind);
      const files = async () =>
        (await readdir(path.join(server.dataDir, 'files'), { recursive: true })).filter((name) =>
          name.includes('/'),
        );
      const before = await files();
      await withLease({ database: server.database, databaseKind: kind }, 'backup', async () => {
        await (await admin.client.storage()).delete('postAudios/mind/respirar');
        assert.deepEqual(await files(), before);
        await assert.rejects(backUpServer(server, place), { message: /Outro backup está sendo feito/ });
      });
      await cleanUpFiles({
        database: server.database,
        databaseKind: kind,
        fileStore: await openFileStore({ s3: undefined, dataDir: server.dataDir }),
      });
      assert.deepEqual(await files(), []);
    });

    it('is refused in the place of another installation, and changes nothing there', async (t) => {
      const { place } = await backedUpClinic(t, kind);
      const stranger = await startTestServer(t, kind);
      const before = await place.store.list('');
      assert.ok(before.size > 1);
      await assert.rejects(backUpServer(stranger, place), { message: /outra instalação/ });
      assert.deepEqual(await place.store.list(''), before);
    });

    it('is kept for the configured number of days, and the newest one for ever', async (t) => {
      const { server, admin } = await startClinic(t, kind);
      const place = await createBackupPlace(t);
      const day = 24 * 60 * 60_000;
      const now = Date.now();
      await backUpServer(server, place, { now: () => now - 80 * day });
      await backUpServer(server, place, { now: () => now - 40 * day });
      const objects = await place.store.list('contents/');
      await (await admin.client.storage()).delete('postAudios/mind/respirar');
      await backUpServer(server, place, { now: () => now - 10 * day });
      await backUpServer(server, place, { now: () => now });
      const times = (await readdir(path.join(place.folder, 'snapshots'))).length;
      assert.equal(times, 2);
      assert.ok((await place.store.list('contents/')).size < objects.size);
      await restoreInto(await createTarget(t, kind), place);
    });
  });
}

/** Inserts a row that belongs to no user, with these values and arbitrary values in the other columns. */
async function addRow(database: Database, table: 'activities' | 'files', values: Record<string, string>) {
  const { columns } = tableRows[table];
  const row = Object.entries(columns).map(([name, kind]) => [name, kind === 'number' ? 1 : 'a']);
  const noUser = table === 'files' ? { ownerId: null } : { updatedBy: null };
  await writeRows(database, table, columns, [{ ...Object.fromEntries(row), ...noUser, ...values }]);
}

/** Stores the hash of a deleted account beside the backups. */
async function storeDeletedAccount({ database }: TestServer, { store }: BackupPlace) {
  await noteDeletion(database, 'somebody');
  await storeDeletions(database, store);
  const isDeleted = await readDeletions(store, await deletionsKey(database));
  assert.deepEqual([isDeleted('somebody'), isDeleted('another')], [true, false]);
}
