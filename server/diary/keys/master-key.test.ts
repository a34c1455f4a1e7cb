import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { describe, it, type TestContext } from 'node:test';
import { dayInBrasilia } from '#contract/calendar.ts';
import type { DiaryEntry } from '#contract/diary/entry.ts';
import { connect, type DatabaseKind } from '../../database/connect.ts';
import { readEnvironment, StartError } from '../../environment.ts';
import { createTestDatabase, databaseKinds } from '../../testing/databases.ts';
import { beginDiary } from '../../testing/diaries.ts';
import { startTestServer } from '../../testing/server.ts';
import { listEntries } from '../read-entries.ts';
import { checkMasterKey, diaryKeyFile, nextKeyFile, openMasterKey } from './master-key.ts';
import { forgetDiaries, rotateMasterKey } from './replace-master-key.ts';

const [first, second] = ['a first key, which is long enough', 'a second key, which is long enough'];
const refused = (message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof StartError);
  assert.match(error.message, message);
  return true;
};

for (const kind of databaseKinds) {
  describe(`the master key of the diaries on ${kind}`, { concurrency: true }, () => {
    it('is made at the first start, kept for later starts, and readable only by its owner', async (t) => {
      const { settings, database } = await newSite(t, kind);
      const key = await openMasterKey(settings, database);
      assert.deepEqual(await openMasterKey(settings, database), key);
      assert.equal((await stat(diaryKeyFile(settings.dataDir))).mode & 0o777, 0o600);
    });

    it('is DIARY_KEY when it is set; another key, or a missing one, stops the start', async (t) => {
      const { settings, database } = await newSite(t, kind);
      await openMasterKey({ ...settings, diaryKey: first }, database);
      assert.ok(!(await readdir(settings.dataDir)).includes('diary-key'));
      const open = (diaryKey: string | undefined) => openMasterKey({ ...settings, diaryKey }, database);
      await assert.rejects(
        open(second),
        refused(/DIARY_KEY não é a chave com que os diários foram guardados/),
      );
      await assert.rejects(open(undefined), refused(/Falta .*diary-key, a chave dos diários.*\n.*DIARY_KEY/));
      await writeFile(diaryKeyFile(settings.dataDir), second);
      await assert.rejects(open(undefined), refused(/diary-key não é a chave/));
      await open(first);
    });

    it('is the same for two servers that start at once on one database', async (t) => {
      const { settings, database } = await newSite(t, kind);
      const keys = [first, second].map((diaryKey) => openMasterKey({ ...settings, diaryKey }, database));
      const started = (await Promise.allSettled(keys)).filter(({ status }) => status === 'fulfilled');
      assert.equal(started.length, 1);
    });

    it('is replaced by a rotation, also if the rotation stops before its last step', async (t) => {
      const { server, settings, entryNote, uid } = await siteWithDiary(t, kind);
      const { database } = server;
      const environment = { ...readEnvironment({}), ...settings };
      const read = async () => {
        const diaryMasterKey = await openMasterKey(settings, database);
        const context = { database, databaseKind: kind, diaryMasterKey };
        const { items } = await listEntries(context, uid, { after: 0, limit: 10 });
        return (items[0] as DiaryEntry).note;
      };
      assert.equal(await read(), entryNote);
      const file = diaryKeyFile(settings.dataDir);
      const before = await readFile(file, 'utf8');
      assert.equal(await rotateMasterKey({ environment, database, kind }), 1);
      const after = await readFile(file, 'utf8');
      assert.notEqual(after, before);
      assert.equal(await read(), entryNote);
      // As if the process had stopped between the commit and the renaming of the file.
      await rename(file, nextKeyFile(settings.dataDir));
      await writeFile(file, before);
      assert.equal(await read(), entryNote);
      assert.equal(await readFile(file, 'utf8'), after);
      // As if it had stopped before the commit.
      await writeFile(nextKeyFile(settings.dataDir), second);
      assert.equal(await read(), entryNote);
      await assert.rejects(
        rotateMasterKey({ environment: { ...environment, nextDiaryKey: second }, database, kind }),
        refused(/DIARY_KEY_NEXT só vale junto com DIARY_KEY/),
      );
    });

    it('can be forgotten when it is lost; the diaries are then deleted', async (t) => {
      const { server, settings, phone } = await siteWithDiary(t, kind);
      await openMasterKey(settings, server.database);
      await rm(diaryKeyFile(settings.dataDir));
      await assert.rejects(checkMasterKey(settings, server.database), refused(/npm run diary-key -- forget/));
      await forgetDiaries(server.database);
      await openMasterKey(settings, server.database);
      assert.ok((await phone.list()).items.every((item) => 'deleted' in item));
    });
  });
}

async function newSite(t: TestContext, kind: DatabaseKind) {
  const { dataDir, databaseUrl, remove } = await createTestDatabase(kind);
  const database = connect({ dataDir, databaseUrl });
  t.after(async () => {
    await database.destroy();
    await remove();
  });
  return { database, settings: { dataDir, diaryKey: undefined } };
}

async function siteWithDiary(t: TestContext, kind: DatabaseKind) {
  const server = await startTestServer(t, kind);
  const ana = await server.join();
  const phone = await beginDiary(ana.client);
  const entryNote = 'Caminhei.';
  await phone.change(randomUUID(), {
    ...{ change: randomUUID(), day: dayInBrasilia(Date.now()), zone: 'America/Sao_Paulo' },
    note: { base: 0, text: entryNote },
  });
  return {
    server,
    phone,
    entryNote,
    uid: ana.uid,
    settings: { dataDir: server.dataDir, diaryKey: undefined },
  };
}
