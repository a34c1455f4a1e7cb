import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { dateOf, dayAfter } from '#contract/calendar.ts';
import { codeOf } from '#server/testing/authenticator.ts';
import {
  backUpServer,
  createBackupPlace,
  createTarget,
  hasUsers,
  restoreInto,
  rewriteSnapshot,
} from '#server/testing/backups/backups.ts';
import { credentialsOf, withServer } from '#server/testing/backups/clinic.ts';
import { databaseKinds, isFullLevel } from '#server/testing/databases.ts';
import { joinClinician } from '#server/testing/diaries.ts';
import { sampleActivity } from '#server/testing/samples.ts';
import { startTestServer, visitorAt } from '#server/testing/server.ts';
import { startServerProcess } from '#server/testing/server-process.ts';
import { connect, type DatabaseKind, migrate } from '../database/connect.ts';
import { requireContentsFolder } from '../database/installation/installation.ts';
import { masterKeyOf } from '../diary/keys/master-key.ts';
import { listAssignments } from '../diary/week/week.ts';
import { readReminder } from '../reminders/reminders.ts';
import { openBackupStore } from './place/open-backup-store.ts';
import { listSnapshots } from './snapshot/manifests.ts';
import { findSnapshot } from './snapshot/snapshot-times.ts';

const oldBackup = path.join(import.meta.dirname, '../testing/old-versions');

for (const kind of databaseKinds) {
  describe(`restore on ${kind}`, { concurrency: true }, () => {
    it('takes a backup that an earlier version made, and migrates its rows', async (t) => {
      const { identity, admin, patient, uri, activity } = JSON.parse(
        await readFile(path.join(oldBackup, 'backup.json'), 'utf8'),
      );
      const store = await openBackupStore({ folder: path.join(oldBackup, 'backup') });
      const target = await createTarget(t, kind, { migrated: false });
      const { dangling, contents } = await restoreInto(target, { store, identity });
      assert.deepEqual([dangling, contents], [[], 1]);
      const database = connect(target);
      t.after(() => database.destroy());
      assert.deepEqual(await migrate(database), []);
      await withServer(t, target, async (url) => {
        const patientAgain = visitorAt(url, url).client;
        await patientAgain.auth.signIn(credentialsOf(patient));
        const { documents } = await patientAgain.documents.getFavourites();
        assert.deepEqual(
          documents.map(({ id }) => id),
          [activity.id],
        );
        const adminAgain = visitorAt(url, url).client;
        assert.equal(await adminAgain.auth.signIn(credentialsOf(admin)), 'second-factor');
        await adminAgain.auth.finishSignIn(codeOf(uri, 1));
        const found = (await adminAgain.documents.findActivity(activity)) ?? assert.fail();
        // An activity of an earlier version lacks the fields that were added since.
        for (const [field, value] of Object.entries({ ...activity, audioSeconds: found.audioSeconds }))
          assert.deepEqual(found[field as keyof typeof found], value, field);
        assert.equal((await (await fetch(url + activity.audio)).bytes()).length, 2_000);
        assert.match(await (await fetch(url)).text(), /Clínica Prado/);
      });
    });

    it('brings back the week as it was, without deleted accounts, and turns the reminder off', async (t) => {
      const server = await startTestServer(t, kind);
      const [dora, rui] = [await joinClinician(server), await joinClinician(server, 'Rui')];
      const [ana, bia] = [await server.join(), await server.join()];
      const { id: activityId } = await dora.client.documents.createActivity(sampleActivity());
      const today = dateOf(Date.now());
      const proposal = {
        ...{ activityId, fromDay: today, toDay: dayAfter(today, 6) },
        ...{ timesPerWeek: 3, message: 'Sem pressa.' },
      };
      const propose = async (clinician: typeof dora, { uid }: typeof ana) => {
        const id = randomUUID();
        await (await clinician.client.week()).propose(uid, { ...proposal, id });
        return id;
      };
      const ids = [await propose(dora, ana), await propose(dora, ana), await propose(rui, ana)] as const;
      const [answered, withdrawn] = ids;
      const toBia = await propose(dora, bia);
      for (const [{ client }, id] of [[ana, answered] as const, [bia, toBia] as const])
        await (await client.week()).answer(id, today, 'done');
      await server.database.updateTable('users').set({ emailVerified: true }).execute();
      const times = { on: true, weekdays: [0, 1, 2, 3, 4, 5, 6], hour: 8, zone: 'America/Sao_Paulo' };
      for (const { client } of [ana, bia]) await (await client.reminder()).change(times);
      const place = await createBackupPlace(t);
      const made = await backUpServer(server, place);
      await (await dora.client.week()).withdraw(ana.uid, withdrawn);
      await (await ana.client.reminder()).change({ ...times, on: false });
      await rui.client.auth.deleteAccount({ password: rui.password });
      await bia.client.auth.deleteAccount({ password: bia.password });
      await backUpServer(server, place);

      const target = await createTarget(t, kind);
      await restoreInto(target, place, { snapshot: made?.snapshot ?? '' });
      const database = connect(target);
      t.after(() => database.destroy());
      const diaryMasterKey = masterKeyOf(await readFile(path.join(target.dataDir, 'diary-key'), 'utf8'));
      const week = new Map(
        (await listAssignments({ database, diaryMasterKey }, ana.uid)).map((one) => [one.id, one]),
      );
      assert.deepEqual(
        ids.map((id) => [week.get(id)?.message, week.get(id)?.days]),
        [[{ day: today, state: 'done' }], [], []].map((days) => ['Sem pressa.', days]),
      );
      // Rui's account is deleted again, which withdraws what Rui proposed.
      assert.deepEqual(
        ids.map((id) => week.get(id)?.withdrawnAt === null),
        [true, true, false],
      );
      const restored = { database, databaseKind: kind, environment: target };
      const { on, stoppedBy } = await readReminder(restored, ana.uid);
      assert.deepEqual([on, stoppedBy], [false, 'restored']);
      for (const table of ['assignmentDays', 'reminders'] as const)
        assert.equal((await database.selectFrom(table).selectAll().execute()).length, 1, table);
    });

    it('refuses a backup of a test version between 0.1.0 and 0.2.0', async (t) => {
      const { place } = await backedUp(t, kind);
      await rewriteSnapshot(place, (line) =>
        'header' in line ? { header: { ...line.header, lastMigration: '030-old-backups' } } : line,
      );
      await assert.rejects(restoreInto(await createTarget(t, kind), place), {
        name: 'StartError',
        message: /versão de teste deste programa.*030-old-backups/,
      });
    });

    it('shows how many rows it has written and compared', async (t) => {
      const { place } = await backedUp(t, kind);
      const shown = new Map<string, [done: number, all: number | undefined]>();
      await restoreInto(await createTarget(t, kind), place, {
        progress: (done, all, counted = 'arquivos') => shown.set(counted, [done, all]),
      });
      for (const counted of ['linhas gravadas', 'linhas conferidas']) {
        const [done, all] = shown.get(counted) ?? assert.fail(counted);
        assert.equal(done, all);
        assert.ok(all !== undefined && all > 0);
      }
    });

    it('stops in each of its steps when its signal is aborted, and can be repeated', async (t) => {
      const { place } = await backedUp(t, kind);
      const target = await createTarget(t, kind);
      const ofFiles = 'arquivos restaurados';
      for (const step of ['linhas do backup lidas', ofFiles, 'linhas gravadas', 'linhas conferidas']) {
        const stop = new AbortController();
        const progress = (_done: number, _all: number | undefined, counted = ofFiles) =>
          counted === step && stop.abort(new Error(`stopped: ${step}`));
        await assert.rejects(restoreInto(target, place, { progress, signal: stop.signal }), {
          message: `stopped: ${step}`,
        });
        assert.equal(await hasUsers(target), false, step);
        assert.equal(existsSync(path.join(target.dataDir, 'restoring')), false, step);
      }
      await restoreInto(target, place);
    });

    it('refuses the backup of a newer version with a clear message, even if its other lines are unknown', async (t) => {
      const { place } = await backedUp(t, kind);
      await rewriteSnapshot(place, (line) =>
        'header' in line ? ({ header: { ...line.header, formatVersion: 2, novo: [{}] } } as never) : line,
      );
      await assert.rejects(restoreInto(await createTarget(t, kind), place), {
        name: 'StartError',
        message: /versão mais nova deste programa/,
      });
      await rewriteSnapshot(place, (line) =>
        'header' in line
          ? ({ header: { ...line.header, lastMigration: '999-of-the-future', program: '9.0.0' } } as never)
          : ({ novidade: line } as never),
      );
      const target = await createTarget(t, kind);
      await assert.rejects(restoreInto(target, place), {
        name: 'StartError',
        message: /versão mais nova deste programa \(9\.0\.0\)/,
      });
      assert.ok(!existsSync(`${target.dataDir}/files`));
    });

    it('refuses a target on which a server runs', async (t) => {
      const { place } = await backedUp(t, kind);
      const target = await createTarget(t, kind);
      const variables: Record<string, string> =
        target.databaseUrl === undefined ? {} : { DATABASE_URL: target.databaseUrl };
      // On PostgreSQL, the server uses another data folder, so only the database shows that it runs.
      const folder = kind === 'sqlite' ? target.dataDir : path.join(target.dataDir, '../another');
      const running = await startServerProcess(folder, variables);
      t.after(() => running.kill());
      await assert.rejects(restoreInto(target, place), {
        name: 'StartError',
        message: kind === 'sqlite' ? /Outro servidor já usa/ : /um servidor rodando/,
      });
      await running.stop();
      await restoreInto(target, place);
    });

    it('needs the AUTH_SECRET of the backup, or leaves out the second factors', async (t) => {
      const { place } = await backedUp(t, kind);
      const fresh = { ...(await createTarget(t, kind)), authSecret: 'a fresh secret, which is long enough' };
      await assert.rejects(restoreInto(fresh, place), {
        name: 'StartError',
        message: /está no backup: tire AUTH_SECRET, e o comando o grava em \S+auth-secret\. D/,
      });
      await restoreInto({ ...fresh, authSecret: undefined }, place);
      assert.ok(existsSync(`${fresh.dataDir}/auth-secret`));
      await rewriteSnapshot(place, (line) => {
        if (!('header' in line)) return line;
        // Simulates a backup that was made with AUTH_SECRET.
        const { authSecret: _, ...header } = line.header;
        return { header };
      });
      const target = await createTarget(t, kind);
      await assert.rejects(restoreInto(target, place), { name: 'StartError', message: /com AUTH_SECRET/ });
      const other = { ...target, authSecret: 'another secret, which is long enough' };
      await assert.rejects(restoreInto(other, place), {
        name: 'StartError',
        message: /AUTH_SECRET não é o de quando/,
      });
      const { authSecret } = await startTestServer(t, 'sqlite');
      const cliniciansIn = async (restored: Parameters<typeof connect>[0]) => {
        const database = connect(restored);
        t.after(() => database.destroy());
        return (await database.selectFrom('clinicians').select('uid').execute()).length;
      };
      await restoreInto({ ...target, authSecret }, place);
      assert.ok(!existsSync(`${target.dataDir}/auth-secret`));
      assert.equal(await cliniciansIn(target), 1);
      const without = await createTarget(t, kind);
      await restoreInto(without, place, { newSecret: true });
      assert.equal(await cliniciansIn(without), 0);
    });
  });
}

if (isFullLevel)
  describe('a site restored into PostgreSQL, with its files on disk', () => {
    it('starts only in the data folder that has these files', async (t) => {
      const { place } = await backedUp(t, 'postgres');
      const target = await createTarget(t, 'postgres');
      await restoreInto(target, place);
      const database = connect(target);
      t.after(() => database.destroy());
      const dataDir = path.join(target.dataDir, '../another');
      await mkdir(dataDir);
      await assert.rejects(requireContentsFolder(database, { ...target, dataDir }), {
        name: 'StartError',
        message: /em outra pasta de dados/,
      });
      await requireContentsFolder(database, target);
    });
  });

describe('the backup to restore', () => {
  it('is the newest one until a day or a time in Brasília', async (t) => {
    const place = await createBackupPlace(t);
    const server = await startTestServer(t, 'sqlite');
    const now = Date.parse('2026-11-23T06:30:00Z');
    const times = ['2026-11-20T06:30:00Z', '2026-11-21T02:00:00Z', '2026-11-22T06:30:00Z'];
    for (const time of times) await backUpServer(server, place, { now: () => Date.parse(time) });
    const [first, second, third] = await listSnapshots(place.store);
    for (const [at, expected] of [
      [undefined, third],
      ['2026-11-20', second],
      ['2026-11-20T03:30', first],
      ['2026-11-20 22:00', first],
      ['2026-11-20T23:00', second],
      ['2026-11-22T06:29:59Z', second],
      ['2030-01-01', third],
    ] as const)
      assert.equal(await findSnapshot(place.store, at, { now }), expected, at ?? 'the newest');
    await assert.rejects(findSnapshot(place.store, '2026-11-19'), { message: /Não há backup em .* até/ });
    for (const wrong of ['ontem', '2026-13-40', '2026-11-20T25:00'])
      await assert.rejects(findSnapshot(place.store, wrong), { message: /escreva um dia ou uma hora/ });
  });
});

if (isFullLevel)
  it('restores the usage records of the machine that made the backup', async (t) => {
    const server = await startTestServer(t, 'postgres');
    const place = await createBackupPlace(t);
    const machines = ['um', 'ou'].map((letters) => ({
      dataDir: path.join(server.dataDir, letters),
      letters,
    }));
    for (const { dataDir, letters } of machines) {
      // All machines use the same names for their files of usage records, and two files can have the same
      // size.
      await mkdir(path.join(dataDir, 'usage-records'), { recursive: true });
      await writeFile(path.join(dataDir, 'usage-records/2026-01-02.jsonl'), letters);
      await backUpServer({ ...server, dataDir }, place);
      const target = await createTarget(t, 'postgres');
      await restoreInto(target, place);
      const restored = path.join(target.dataDir, 'usage-records/2026-01-02.jsonl');
      assert.equal(await readFile(restored, 'utf8'), letters);
    }
    // A folder that cannot be read must not count as a folder without records.
    const broken = path.join(server.dataDir, 'broken');
    await mkdir(broken);
    await writeFile(path.join(broken, 'usage-records'), 'not a folder');
    await assert.rejects(backUpServer({ ...server, dataDir: broken }, place), {
      name: 'StartError',
      message: /registros de acesso não puderam ser lidos: ENOTDIR/,
    });
    // A backup skips a file that is missing when it opens it: the file was compressed or deleted meanwhile.
    const folder = path.join(machines[0]?.dataDir ?? '', 'usage-records');
    await symlink('compressed', path.join(folder, '2026-01-03.jsonl'));
    assert.ok(await backUpServer({ ...server, dataDir: path.dirname(folder) }, place));
  });

async function backedUp(t: TestContext, kind: DatabaseKind) {
  const server = await startTestServer(t, kind);
  const patient = await server.join();
  await joinClinician(server);
  const place = await createBackupPlace(t);
  await backUpServer(server, place);
  return { patient, place };
}
