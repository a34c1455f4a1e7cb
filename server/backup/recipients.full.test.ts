import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import {
  backUpServer,
  createBackupPlace,
  createTarget,
  restoreInto,
} from '#server/testing/backups/backups.ts';
import { allDatabaseKinds } from '#server/testing/databases.ts';
import { startTestServer } from '#server/testing/server.ts';
import { mp3, storageOf } from '#server/testing/storage.ts';
import { createDecryption, createKeyPair } from './place/encryption.ts';
import { listSnapshots } from './snapshot/manifests.ts';
import { snapshotFolder } from './snapshot/snapshot-format.ts';

describe('a change of BACKUP_RECIPIENT', () => {
  for (const kind of allDatabaseKinds)
    it(`leaves each backup complete for each key that it was made for, on ${kind}`, async (t) => {
      const server = await startTestServer(t, kind);
      const admin = await server.join('admin');
      assert.equal((await storageOf(admin).upload('postAudios/mind/ouvir', mp3(200_000))).status, 204);
      const place = await createBackupPlace(t);
      const [first, second] = [place.settings.recipients[0] ?? '', await createKeyPair()];
      const backUpFor = async (...recipients: string[]) => {
        const made = await backUpServer(server, { ...place, settings: { ...place.settings, recipients } });
        return made ?? assert.fail();
      };
      const restoreWith = async (identity: string, snapshot: string) => {
        const { contents, rows } = await restoreInto(
          await createTarget(t, kind),
          { ...place, identity },
          { snapshot },
        );
        assert.deepEqual([contents, rows.get('users')], [1, 1]);
      };

      const forFirst = await backUpFor(first);
      const forBoth = await backUpFor(first, second.recipient);
      const forSecond = await backUpFor(second.recipient);
      assert.equal(new Set(await listSnapshots(place.store)).size, 3);
      for (const { storedBytes } of [forFirst, forBoth, forSecond]) assert.ok(storedBytes > 200_000);
      // With the same keys in another order, the backup reuses the stored contents.
      assert.ok((await backUpFor(second.recipient, first)).storedBytes < 100_000);

      await restoreWith(place.identity, forFirst.snapshot);
      await restoreWith(place.identity, forBoth.snapshot);
      await restoreWith(second.identity, forBoth.snapshot);
      await restoreWith(second.identity, forSecond.snapshot);
      const bothKeys = `# old\n${place.identity}\n\n# new\r\n  ${second.identity}  \r\n`;
      for (const { snapshot } of [forFirst, forBoth, forSecond]) await restoreWith(bothKeys, snapshot);
      await assert.rejects(restoreWith(place.identity, forSecond.snapshot), /não abre este backup/);

      // If the first key leaks, the operator deletes the snapshots that it opens. After the next backup, the
      // key opens nothing.
      for (const snapshot of await listSnapshots(place.store))
        if (snapshot !== forSecond.snapshot)
          await rm(path.join(place.folder, snapshotFolder(snapshot)), { recursive: true });
      await backUpFor(second.recipient);
      assert.equal((await place.store.list('contents/')).size, 1);
      await restoreWith(second.identity, forSecond.snapshot);
    });

  it('needs a key file with valid keys only', async () => {
    const { identity } = await createKeyPair();
    for (const wrong of ['', 'age1...', `${identity}\n${identity.slice(0, -1)}`])
      await assert.rejects(createDecryption(wrong), { name: 'StartError', message: /chave privada/ });
  });
});
