import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { DiaryFile } from '#contract/diary/entry.ts';
import { paths } from '#contract/paths.ts';
import { defaultPasswordCost } from '../auth/passwords/scrypt.ts';
import { backUpServer, createBackupPlace, createTarget, restoreInto } from '../testing/backups/backups.ts';
import { credentialsOf, withServer } from '../testing/backups/clinic.ts';
import { databaseKinds } from '../testing/databases.ts';
import { beginDiary, change, dayAgo, withDevices, words } from '../testing/diaries.ts';
import { refusedWith } from '../testing/refused.ts';
import { visitorAt } from '../testing/server.ts';
import { masterKeyOf } from './keys/master-key.ts';
import { countWords } from './read-entries.ts';

const canary = 'canario-amarelo-do-diario';
const today = dayAgo(0);

for (const kind of databaseKinds) {
  describe(`the files of a diary on ${kind}`, { concurrency: true }, () => {
    it('is in the mood record, the account export and the files, and leaves nothing when it is deleted', async (t) => {
      const { server, ana, phone } = await withDevices(t, kind);
      assert.equal(await ana.client.documents.getWordMood(ana.uid), false);
      const [old, recent] = [randomUUID(), randomUUID()];
      await phone.change(old, { ...words('calma'), day: dayAgo(20) });
      await phone.change(recent, change({ ...words('=raiva'), note: { base: 0, text: canary } }));
      const mood = await ana.client.documents.getWordMood(ana.uid);
      const summary = { v: 1, count: 2, lastDay: today, recent: [{ day: today, words: ['=raiva'] }] };
      assert.deepEqual(mood, { diary: summary });
      const { diary } = await ana.client.documents.exportAccount();
      assert.equal(diary ? diary.entries.length : 0, 2);
      const part = await phone.exportFile({ from: dayAgo(7), parts: ['words'] });
      assert.deepEqual(
        part.entries.map(({ id, note }) => [id, note]),
        [[recent, '']],
      );
      const csv = await (await ana.fetch(`${paths.documents.diaryCsv}?from=${dayAgo(7)}`)).text();
      assert.equal(csv.split('\r\n')[1], `"${today}","","'=raiva","","${canary}","","",""`);
      await phone.deleteAll();
      await phone.deleteAll();
      const left = await server.database.selectFrom('diaryEntries').selectAll().execute();
      assert.deepEqual(new Set(left.map(({ day, zone, sealed }) => day ?? zone ?? sealed)), new Set([null]));
      const [{ sealedKey } = {}] = await server.database.selectFrom('diaries').selectAll().execute();
      assert.equal(sealedKey, null);
      assert.equal(await ana.client.documents.getWordMood(ana.uid), false);
      // The ids stay deleted; a new entry begins a new diary, after a new consent.
      await beginDiary(ana.client);
      assert.equal(await phone.change(recent, words('calma')), undefined);
      const again = await phone.change(randomUUID(), words('calma'));
      assert.deepEqual((await phone.list((again?.revision ?? 0) - 1)).items, [again]);
      await ana.client.auth.deleteAccount({ password: ana.password });
      for (const table of ['diaries', 'diaryConsents', 'diaryEntries'] as const)
        assert.deepEqual(await server.database.selectFrom(table).selectAll().execute(), []);
    });

    it('imports its own file without loss and only once; deleted entries come back on request', async (t) => {
      const { server, phone } = await withDevices(t, kind);
      const [kept, deleted] = [randomUUID(), randomUUID()];
      await phone.change(kept, { ...words('calma'), day: dayAgo(300) });
      await phone.change(deleted, change({ note: { base: 0, text: 'Volta.' } }));
      const file = await phone.exportFile();
      await phone.deleteEntry(deleted);
      const day = today;
      assert.deepEqual(await phone.importFile({ file }), {
        added: 0,
        kept: 1,
        deleted: [{ id: deleted, day }],
      });
      for (const added of [1, 0])
        assert.deepEqual(await phone.importFile({ file, again: [deleted] }), {
          ...{ added, kept: 2 - added, deleted: [] },
        });
      const contentOf = ({ entries }: DiaryFile) =>
        entries.map(({ id: _, createdAt: __, ...entry }) => entry);
      assert.deepEqual(contentOf(await phone.exportFile()), contentOf(file));
      const bia = await beginDiary((await server.join()).client);
      const past = file.entries.map((entry) => ({ ...entry, day: '1999-12-31' }));
      assert.equal((await bia.importFile({ file: { ...file, entries: past } })).added, 2);
      const future = past.map((entry) => ({ ...entry, id: randomUUID(), day: dayAgo(-3) }));
      for (const wrong of [{ format: 'outro' }, { entries: future }])
        await assert.rejects(
          bia.importFile({ file: { ...file, ...wrong } as unknown as DiaryFile }),
          refusedWith('request/invalid'),
        );
      // The longest notes, up to the size of a diary: nothing of the file that is too much is stored.
      const long = {
        ...(file.entries[0] as DiaryFile['entries'][number]),
        note: '界'.repeat(20_000),
        joined: true,
      };
      const fill = async () => {
        const entries = Array.from({ length: 200 }, () => ({ ...long, id: randomUUID() }));
        return bia.importFile({ file: { ...file, entries } });
      };
      const full = refusedWith('documents/too-many-diary-entries');
      await assert.rejects(async () => {
        for (let round = 0; round < 5; round += 1) await fill();
      }, full);
      const { count } = await bia.state();
      await assert.rejects(fill(), full);
      assert.equal((await bia.state()).count, count);
      // Pages of the diary are addressed by the time of creation.
      for (const createdAt of [-1, 1.5, 1e300]) {
        const entries = past.map((entry) => ({ ...entry, id: randomUUID(), createdAt }));
        await assert.rejects(
          bia.importFile({ file: { ...file, entries } }),
          refusedWith('request/invalid'),
          `${createdAt}`,
        );
      }
    });

    it('lets other requests run while it opens many entries', async (t) => {
      const { server, ana, phone } = await withDevices(t, kind);
      await phone.change(randomUUID(), words('calma'));
      const file = await phone.exportFile();
      const [entry] = file.entries;
      assert.ok(entry);
      await phone.importFile({
        file: { ...file, entries: Array.from({ length: 500 }, () => ({ ...entry, id: randomUUID() })) },
      });
      const { database, dataDir } = server;
      const diaryMasterKey = masterKeyOf(await readFile(path.join(dataDir, 'diary-key'), 'utf8'));
      const reading = countWords({ database, diaryMasterKey }, ana.uid, today);
      let [turns, isOver] = [0, false];
      const count = async () => {
        for (; !isOver; turns += 1) await setImmediate();
      };
      const counting = count();
      assert.equal((await reading).words[0]?.weeks.at(-1), 501);
      isOver = true;
      await counting;
      assert.ok(turns >= 5, `${turns}`);
    });

    it('survives a restore with what was deleted since the backup still deleted', async (t) => {
      // The server that is started on the restored data checks passwords at the usual cost.
      const { server, ana, phone } = await withDevices(t, kind, { passwordCost: defaultPasswordCost });
      const place = await createBackupPlace(t);
      const bia = await server.join();
      const [kept, deleted] = [randomUUID(), randomUUID()];
      for (const id of [kept, deleted]) await phone.change(id, change({ note: { base: 0, text: canary } }));
      await (await beginDiary(bia.client)).change(randomUUID(), words('calma'));
      const made = await backUpServer(server, place);
      await phone.deleteEntry(deleted);
      await (await bia.client.diary()).deleteAll();
      // The next backup stores the deletions beside the backups; then the older one is restored.
      await backUpServer(server, place);
      const target = await createTarget(t, kind);
      await restoreInto(target, place, { snapshot: made?.snapshot ?? '' });
      const keyIn = (folder: string) => readFile(path.join(folder, 'diary-key'), 'utf8');
      assert.equal(await keyIn(target.dataDir), await keyIn(server.dataDir));
      await withServer(t, target, async (url) => {
        const again = visitorAt(url, url).client;
        await again.auth.signIn(credentialsOf(ana));
        const { items } = await (await again.diary()).list();
        const deletedIds = items.filter((item) => 'deleted' in item).map(({ id }) => id);
        assert.deepEqual(deletedIds, [deleted]);
        const open = items.filter((item) => 'note' in item).map(({ id, note }) => [id, note]);
        assert.deepEqual(open, [[kept, canary]]);
        const biaAgain = visitorAt(url, url).client;
        await biaAgain.auth.signIn(credentialsOf(bia));
        const ofBia = await biaAgain.diary();
        assert.ok((await ofBia.list()).items.every((item) => 'deleted' in item));
        assert.equal(await ofBia.getConsent(), null);
      });
    });
  });
}
