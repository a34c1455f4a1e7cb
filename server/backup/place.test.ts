import assert from 'node:assert/strict';
import { cp, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import {
  backUpServer,
  createBackupPlace,
  createTarget,
  restoreInto,
} from '#server/testing/backups/backups.ts';
import { databaseKinds } from '#server/testing/databases.ts';
import { startTestServer } from '#server/testing/server.ts';
import { connect } from '../database/connect.ts';
import { leave, subscribe } from '../newsletter/newsletter.ts';
import { newsletterData } from '../newsletter/personal-data.ts';
import { noteDeletion, storeDeletions } from './deletions.ts';

const otherPlace = { name: 'StartError', message: /não está o lugar dos backups.*--new-place/s };

for (const kind of databaseKinds) {
  describe(`the place of the backups on ${kind}`, { concurrency: true }, () => {
    it('stays the same until the operator names a new one, which then gets all deletions', async (t) => {
      const server = await startTestServer(t, kind);
      const { database } = server;
      const users = [await server.join(), await server.join()];
      const [first, second] = [await createBackupPlace(t), await createBackupPlace(t)];
      await backUpServer(server, first);
      for (const user of users) {
        await user.client.auth.deleteAccount({ password: user.password });
        await backUpServer(server, first);
      }
      const deletions = await readdir(path.join(first.folder, 'deleted-accounts'));
      assert.equal(deletions.length, 2);

      await assert.rejects(backUpServer(server, second), otherPlace);
      assert.deepEqual(await readdir(second.folder), []);
      const runs = await database.selectFrom('backupRuns').select('finishedAt').execute();
      assert.ok(runs.length === 3 && runs.every(({ finishedAt }) => finishedAt !== null));

      await backUpServer(server, second, { newDestination: true });
      assert.deepEqual(await readdir(path.join(second.folder, 'deleted-accounts')), deletions);
      await assert.rejects(backUpServer(server, first), otherPlace);

      // A new disk with a copy of the folder is accepted without `newDestination`.
      const copied = await createBackupPlace(t);
      await cp(second.folder, copied.folder, { recursive: true });
      await backUpServer(server, copied);
      // Simulates a disk that is not mounted.
      await rm(copied.folder, { recursive: true });
      await assert.rejects(backUpServer(server, copied), otherPlace);
      await assert.rejects(readdir(copied.folder), { code: 'ENOENT' });
    });

    it('can be a new one for a restored installation', async (t) => {
      const server = await startTestServer(t, kind);
      const place = await createBackupPlace(t);
      await backUpServer(server, place);
      const target = await createTarget(t, kind);
      if (kind === 'postgres') {
        // Simulates that the new database has had a backup before.
        const earlier = connect(target);
        await earlier.insertInto('backupPlace').values({ id: 1, place: 'another' }).execute();
        await earlier.destroy();
      }
      await restoreInto(target, place);
      const database = connect(target);
      t.after(() => database.destroy());
      const restored = { ...server, database, dataDir: target.dataDir, databaseUrl: target.databaseUrl };
      await backUpServer(restored, await createBackupPlace(t));
    });

    it('lets a backup repeat the deletions in a database that was set back to an earlier time', async (t) => {
      const server = await startTestServer(t, kind);
      const { database } = server;
      const [patient, other] = [await server.join(), await server.join()];
      const place = await createBackupPlace(t);
      await backUpServer(server, place);
      await noteDeletion(database, patient.uid);
      await storeDeletions(database, place.store);
      await database.deleteFrom('deletedAccounts').execute();

      assert.equal((await backUpServer(server, place))?.deletedAgain, 1);
      const users = await database.selectFrom('users').select('email').execute();
      assert.deepEqual(
        users.map(({ email }) => email),
        [other.email],
      );
      const { rows, deletedAgain } = await restoreInto(await createTarget(t, kind), place);
      assert.deepEqual([rows.get('users'), deletedAgain], [1, 0]);
    });

    it('does not restore a subscription that ended after the backup; a later backup restores a new subscription', async (t) => {
      const { database, ...server } = await startTestServer(t, kind);
      const place = await createBackupPlace(t);
      const left = (await subscribe(database, 'ana@exemplo.com.br')) ?? '';
      const again = (await subscribe(database, 'rui@exemplo.com.br')) ?? '';
      const email = 'entrou-depois@exemplo.com.br';
      await subscribe(database, email);
      await backUpServer({ database, ...server }, place);
      for (const id of [left, again]) await leave(database, id);
      await subscribe(database, 'rui@exemplo.com.br');
      const { uid } = await server.join();
      await database.updateTable('users').set({ email, emailVerified: true }).where('id', '=', uid).execute();
      await database
        .transaction()
        .execute(async (transaction) => newsletterData.deleteFor?.(transaction, { uid, email }));
      await storeDeletions(database, place.store);

      const target = await createTarget(t, kind);
      await restoreInto(target, place);
      assert.deepEqual(await subscribersOf(target), []);
      await backUpServer({ database, ...server }, place);
      const newTarget = await createTarget(t, kind);
      await restoreInto(newTarget, place);
      assert.deepEqual(await subscribersOf(newTarget), ['rui@exemplo.com.br']);
    });
  });
}

async function subscribersOf(target: Parameters<typeof connect>[0]): Promise<string[]> {
  const database = connect(target);
  try {
    const rows = await database.selectFrom('newsletterSubscribers').select('email').execute();
    return rows.map(({ email }) => email);
  } finally {
    await database.destroy();
  }
}
