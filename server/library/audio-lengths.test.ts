import assert from 'node:assert/strict';
import { readdir, readFile, rm } from 'node:fs/promises';
import path, { join } from 'node:path';
import { describe, it } from 'node:test';
import { secondsOf } from '#contract/practices/length.ts';
import { wav } from '../testing/audio.ts';
import { databaseKinds } from '../testing/databases.ts';
import { sampleActivity } from '../testing/samples.ts';
import { startTestServer } from '../testing/server.ts';
import { mp3, storageOf } from '../testing/storage.ts';
import { until } from '../testing/until.ts';

/** The sample track, which is 180.06 seconds long. */
const track = readFile(join(import.meta.dirname, '../../clinic/audio/tres-minutos.mp3'));

for (const kind of databaseKinds)
  describe(`the length of an audio on ${kind}`, { concurrency: true }, () => {
    it('is read from the file when the practice is saved', async (t) => {
      const server = await startTestServer(t, kind);
      const admin = await server.join('admin');
      const { documents } = admin.client;
      const storage = storageOf(admin);
      await storage.upload('postAudios/mind/tres', Uint8Array.from(await track), 200_000);
      await storage.upload('postAudios/mind/sete', wav(7), 200_000);
      const audio = await storage.url('postAudios/mind/tres');
      const created = await documents.createActivity(sampleActivity({ audio }));
      assert.equal(created.audioSeconds, 180);
      assert.equal(secondsOf(created), 180);
      const { activities, tag } = await server.visitor.client.documents.getActivities('mindActsList');
      assert.deepEqual(activities, [created]);

      const other = { audio: await storage.url('postAudios/mind/sete') };
      const replaced = await documents.updateActivity(created, sampleActivity(other));
      assert.equal(replaced.audioSeconds, 7);
      assert.notEqual((await documents.getActivities('mindActsList')).tag, tag);
      const typed = await documents.updateActivity(replaced, sampleActivity({ ...other, minutes: 12 }));
      assert.deepEqual([typed.audioSeconds, secondsOf(typed)], [7, 720]);
      const without = await documents.updateActivity(typed, sampleActivity());
      assert.deepEqual([without.audioSeconds, secondsOf(without)], [null, undefined]);
    });

    it('cannot be set by a client that sends back all the fields that it has read', async (t) => {
      const server = await startTestServer(t, kind);
      const { documents } = (await server.join('admin')).client;
      const created = await documents.createActivity(sampleActivity());
      const { id: _, createdAt: __, updatedAt: ___, ...read } = created;
      const saved = await documents.updateActivity(created, { ...read, ...{ audioSeconds: 9_000 } });
      assert.equal(saved.audioSeconds, null);
    });

    it('is unknown for a damaged file, a missing file and a file elsewhere', async (t) => {
      const server = await startTestServer(t, kind);
      const admin = await server.join('admin');
      const storage = storageOf(admin);
      await storage.upload('postAudios/mind/partido', mp3(3_000), 3_000);
      for (const [audio, seconds] of [
        [await storage.url('postAudios/mind/partido'), 0],
        ['/files/postAudios/mind/nada?token=abc', null],
        ['https://exemplo.com.br/som.mp3', null],
      ] as const) {
        const created = await admin.client.documents.createActivity(sampleActivity({ audio }));
        assert.deepEqual([created.audioSeconds, secondsOf(created)], [seconds, undefined], audio);
      }
    });

    it('is read for other practices although the content of one file is lost', async (t) => {
      const server = await startTestServer(t, kind);
      const admin = await server.join('admin');
      const { documents } = admin.client;
      const storage = storageOf(admin);
      const folder = join(server.dataDir, 'files');
      await storage.upload('postAudios/mind/perdido', wav(3), 200_000);
      for (const name of await readdir(folder, { recursive: true }))
        if (path.basename(name).length > 20) await rm(join(folder, name));
      await storage.upload('postAudios/mind/sete', wav(7), 200_000);
      const made = ['perdido', 'sete'].map(async (name, index) => ({
        ...{ id: name, createdAt: index, updatedAt: index, audioSeconds: null },
        ...sampleActivity({ audio: await storage.url(`postAudios/mind/${name}`) }),
      }));
      const { tag } = await documents.getActivities('mindActsList');
      const [lost, other] = await Promise.all(made);
      assert.ok(lost && other);
      await documents.replaceActivities('mindActsList', [lost, other], tag);
      await until(async () => (await documents.findActivity(other))?.audioSeconds === 7);
      assert.equal((await documents.findActivity(lost))?.audioSeconds, null);
    });

    it('is read soon after an import, which cannot set it', async (t) => {
      const server = await startTestServer(t, kind);
      const admin = await server.join('admin');
      const { documents } = admin.client;
      const storage = storageOf(admin);
      await storage.upload('postAudios/mind/sete', wav(7), 200_000);
      const { tag } = await documents.getActivities('mindActsList');
      const imported = {
        ...{ id: 'importada', createdAt: 16e11, updatedAt: 16e11, audioSeconds: 99 },
        ...sampleActivity({ audio: await storage.url('postAudios/mind/sete') }),
      };
      const written = await documents.replaceActivities('mindActsList', [imported], tag);
      assert.equal(written.activities[0]?.audioSeconds, null);
      await until(async () => (await documents.findActivity(imported))?.audioSeconds === 7);
      const read = await documents.findActivity(imported);
      assert.equal(read?.updatedAt, imported.updatedAt, 'an editor who has it open can still save');
    });
  });
