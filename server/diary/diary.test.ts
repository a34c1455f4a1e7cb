import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { mondayOf } from '#contract/calendar.ts';
import { diaryTerms, type NewDiaryConsent } from '#contract/diary/consent.ts';
import type { DiaryChange, DiaryDays, DiaryEntry, DiaryFile } from '#contract/diary/entry.ts';
import { noteSeparator } from '#contract/diary/merge.ts';
import { limits } from '#contract/limits.ts';
import { paths } from '#contract/paths.ts';
import { defaultPasswordCost } from '../auth/passwords/scrypt.ts';
import type { DatabaseKind } from '../database/connect.ts';
import { backUpServer, createBackupPlace, createTarget, restoreInto } from '../testing/backups/backups.ts';
import { credentialsOf, withServer } from '../testing/backups/clinic.ts';
import { databaseKinds } from '../testing/databases.ts';
import { beginDiary } from '../testing/diaries.ts';
import { refusedWith } from '../testing/refused.ts';
import { startTestServer, type TestUser, visitorAt } from '../testing/server.ts';
import { masterKeyOf } from './keys/master-key.ts';
import { countWords } from './read-entries.ts';

const dayMs = 24 * 60 * 60_000;
const dayAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);
const today = dayAgo(0);
const canary = 'canario-amarelo-do-diario';

const change = (fields: Partial<DiaryChange>): DiaryChange => ({
  ...{ change: randomUUID(), day: today, zone: 'America/Rio_Branco' },
  ...fields,
});
const words = (...add: string[]) => change({ words: { add, remove: [] } });

for (const kind of databaseKinds) {
  describe(`the diary on ${kind}`, { concurrency: true }, () => {
    it('keeps entries, merges the changes of two devices, and repeats change nothing', async (t) => {
      const { ana, phone, laptop } = await withDevices(t, kind);
      const id = randomUUID();
      const first = change({
        ...{ words: { add: ['calma'], remove: [] }, intensity: 3, time: '23:59' },
        ...{ note: { base: 0, text: 'Caminhei.' }, practices: { add: ['p1'], remove: [] } },
        toward: { axis: 'family', words: 'Liguei para a minha irmã.' },
      });
      const answer = await ana.fetch(paths.documents.diaryEntry(id), {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(first),
      });
      assert.equal(answer.status, 201);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      const created = (await answer.json()) as DiaryEntry;
      const sum = ({ revision: _, createdAt: __, ...entry }: DiaryEntry) => entry;
      assert.deepEqual(sum(created), {
        ...{ id, day: today, zone: 'America/Rio_Branco', words: ['calma'], intensity: 3, note: 'Caminhei.' },
        ...{ joined: false, practices: ['p1'], time: '23:59' },
        toward: { axis: 'family', words: 'Liguei para a minha irmã.' },
      });
      const base = created.revision;
      // The day and the zone of an entry never change.
      const onPhone = change({
        day: dayAgo(3),
        zone: 'Europe/Lisbon',
        note: { base, text: 'Caminhei muito.' },
      });
      await phone.change(id, onPhone);
      const onLaptop = change({ intensity: 1, note: { base, text: 'Caminhei, e dormi.' } });
      const merged = await laptop.change(id, onLaptop);
      assert.ok(merged);
      assert.deepEqual(
        [merged.note, merged.joined, merged.intensity, merged.words, merged.day, merged.zone],
        [
          ...[`Caminhei muito.${noteSeparator}Caminhei, e dormi.`, true, 1, ['calma']],
          ...[today, 'America/Rio_Branco'],
        ],
      );
      for (const again of [first, onPhone, onLaptop]) assert.deepEqual(await phone.change(id, again), merged);
      assert.deepEqual(await phone.list(), { items: [merged], next: null });
      assert.deepEqual(await phone.list(merged.revision), { items: [], next: null });
    });

    it('deletes an entry for ever, also one that arrives later', async (t) => {
      const { phone, laptop } = await withDevices(t, kind);
      const [known, later] = [randomUUID(), randomUUID()];
      await phone.change(known, words('calma'));
      for (const id of [known, later, later]) await laptop.deleteEntry(id);
      for (const id of [known, later]) assert.equal(await phone.change(id, words('raiva')), undefined);
      const { items } = await phone.list();
      assert.deepEqual(
        items.map(({ id, revision: _, ...rest }) => [id, rest]),
        [known, later].map((id) => [id, { deleted: true }]),
      );
    });

    it('begins with a consent, which is kept with its text and digest until the diary is deleted', async (t) => {
      const server = await startTestServer(t, kind);
      const bia = await server.join();
      const diary = await bia.client.diary();
      const refused = refusedWith('documents/diary-consent-missing');
      const id = randomUUID();
      const file = await diary.exportFile();
      const writes = [() => diary.change(id, words('calma')), () => diary.importFile({ file })];
      assert.equal(await diary.getConsent(), null);
      for (const write of writes) await assert.rejects(write(), refused);
      // A deletion needs no consent, and does not stand for one.
      await diary.deleteEntry(randomUUID());
      for (const write of writes) await assert.rejects(write(), refused);
      for (const wrong of [
        { ...diaryTerms, text: 'Autorizo.' },
        { ...diaryTerms, version: '1' },
      ])
        await assert.rejects(diary.giveConsent(wrong as NewDiaryConsent), refusedWith('request/invalid'));

      const given = await diary.giveConsent(diaryTerms);
      assert.deepEqual(await diary.giveConsent(diaryTerms), given);
      assert.equal(given?.digest, createHash('sha256').update(diaryTerms.text).digest('hex'));
      assert.deepEqual(await (await server.join()).client.diary().then((one) => one.getConsent()), null);
      await diary.change(id, words('calma'));
      await diary.deleteAll();
      assert.equal(await diary.getConsent(), null);
      for (const write of writes) await assert.rejects(write(), refused);
      await diary.giveConsent(diaryTerms);
      const { diaryConsents } = await bia.client.documents.exportAccount();
      assert.deepEqual(
        diaryConsents.map(({ text, withdrawnAt }) => [text, withdrawnAt !== null]),
        [
          [diaryTerms.text, true],
          [diaryTerms.text, false],
        ],
      );
    });

    it('gives each concurrent change a revision of its own', async (t) => {
      const { phone, laptop } = await withDevices(t, kind);
      const id = randomUUID();
      await phone.change(id, words('calma'));
      const many = Array.from({ length: 6 }, (_, place) => words(`palavra ${place}`));
      await Promise.all(many.map((one, place) => (place % 2 ? phone : laptop).change(id, one)));
      await Promise.all([phone.change(randomUUID(), words('a')), laptop.change(randomUUID(), words('b'))]);
      const { items } = await phone.list();
      const merged = items.find((item) => item.id === id) as DiaryEntry;
      assert.equal(merged.words.length, 7);
      assert.deepEqual(items.map(({ revision }) => revision).sort(), [7, 8, 9]);
    });

    it('refuses days outside the last year, blank entries, and more entries than a day holds', async (t) => {
      const { phone } = await withDevices(t, kind);
      const add = (one: DiaryChange) => phone.change(randomUUID(), one);
      for (const day of [dayAgo(367), dayAgo(-2), '2026-02-30', '0000-00-00'])
        await assert.rejects(add({ ...words('calma'), day }), refusedWith('request/invalid'), day);
      for (const one of [
        change({}),
        change({ intensity: 3 }),
        change({ note: { base: 0, text: '  ' } }),
        change({ ...words('calma'), zone: 'Marte, Olimpo' }),
        change({ note: { base: 0, text: 'x'.repeat(limits.diaryNoteMaxLength + 1) } }),
        words(...Array.from({ length: limits.diaryWordsMaxItems + 1 }, (_, place) => `palavra ${place}`)),
      ])
        await assert.rejects(add(one), refusedWith('request/invalid'));
      for (const day of [dayAgo(365), dayAgo(-1)]) await add({ ...words('calma'), day });
      await Promise.all(Array.from({ length: limits.diaryEntriesADay }, () => add(words('calma'))));
      await assert.rejects(add(words('calma')), refusedWith('documents/too-many-diary-entries'));
      await add({ ...words('calma'), day: dayAgo(1) });
    });

    it('is read by day, in pages, with the words of twelve weeks, and can pause', async (t) => {
      const { ana, phone } = await withDevices(t, kind);
      assert.deepEqual(await phone.state(), { consents: true, count: 0, lastDay: null, pausedAt: null });
      const added = [];
      for (const days of [100, 0, 8, 8, 0, 1]) {
        const entry = await phone.change(randomUUID(), {
          ...words('calma', `dia ${days}`),
          day: dayAgo(days),
        });
        assert.ok(entry);
        added.push(entry);
      }
      const [old, first, week, weekToo, second, yesterday] = added;
      const byDay = (entries: { day: string; createdAt: number; id: string }[]) =>
        entries.map(({ day, createdAt, id }) => `${day} ${createdAt} ${id}`).reverse();
      const read: DiaryEntry[] = [];
      for (let next: string | null | undefined; next !== null; ) {
        const query = new URLSearchParams({ limit: '2', ...(next !== undefined && { before: next }) });
        const page = (await (await ana.fetch(`${paths.documents.diaryDays}?${query}`)).json()) as DiaryDays;
        assert.ok(page.entries.length <= 2);
        read.push(...(page.entries as DiaryEntry[]));
        next = page.next;
      }
      assert.equal(read.length, 6);
      assert.deepEqual(byDay(read), byDay(read).sort());
      assert.deepEqual((await phone.days()).entries, read);
      assert.deepEqual(await phone.entry(old?.id ?? ''), old);
      const { from, words: counts } = await phone.chart(today);
      assert.equal(from, mondayOf(today, 11));
      const weekOf = (day: string) => Math.floor((Date.parse(day) - Date.parse(from)) / (7 * dayMs));
      const weeks = Array<number>(12).fill(0);
      for (const one of [first, week, weekToo, second, yesterday])
        if (one) weeks[weekOf(one.day)] = (weeks[weekOf(one.day)] ?? 0) + 1;
      assert.deepEqual(counts.find(({ word }) => word === 'calma')?.weeks, weeks);
      assert.ok(!counts.some(({ word }) => word === 'dia 100'));

      await phone.pause(true);
      const { count, lastDay, pausedAt } = await phone.state();
      assert.deepEqual([count, lastDay, pausedAt !== null], [6, today, true]);
      await phone.pause(false);
      assert.equal((await phone.state()).pausedAt, null);
      await phone.deleteEntry(old?.id ?? '');
      await assert.rejects(phone.entry(old?.id ?? ''), refusedWith('documents/not-found'));
      const stranger = ['2026-11-01', "2026-11-01~1~' or 1=1", '9~9~9', `${today}~1~${'0'.repeat(36)}~`];
      for (const before of stranger)
        await assert.rejects(phone.days({ before }), refusedWith('request/invalid'), before);
    });

    it('is for its user alone: no other user and no admin reads it', async (t) => {
      const { server, phone, ana } = await withDevices(t, kind);
      const id = randomUUID();
      await phone.change(id, change({ note: { base: 0, text: canary } }));
      for (const other of [await server.join(), await server.join('editor'), await server.join('admin')]) {
        for (const text of await answersOf(other, ana.uid)) assert.ok(!text.includes(canary));
        const diary = await beginDiary(other.client);
        assert.deepEqual(await diary.list(), { items: [], next: null });
        await diary.change(id, words('minha'));
        await diary.deleteEntry(id);
      }
      const { items } = await phone.list();
      assert.equal((items[0] as DiaryEntry).note, canary);
    });

    it('stores no word in plain text, and says which entry is damaged', async (t) => {
      const { server, phone } = await withDevices(t, kind);
      const [damaged, well] = [randomUUID(), randomUUID()];
      await phone.change(damaged, words('calma'));
      await phone.change(well, change({ note: { base: 0, text: canary }, words: words(canary).words }));
      const rows = await server.database.selectFrom('diaryEntries').selectAll().execute();
      assert.ok(!JSON.stringify(rows).includes(canary));
      const sealed = rows.find(({ id }) => id === damaged)?.sealed ?? '';
      await server.database
        .updateTable('diaryEntries')
        .set({ sealed: `${sealed.slice(0, 30)}${sealed[30] === 'A' ? 'B' : 'A'}${sealed.slice(31)}` })
        .where('id', '=', damaged)
        .execute();
      const { items } = await phone.list();
      assert.deepEqual(
        items.map((item) => ('unreadable' in item ? item.id : (item as DiaryEntry).note)),
        [damaged, canary],
      );
      await assert.rejects(
        phone.change(damaged, words('raiva')),
        refusedWith('documents/diary-entry-unreadable'),
      );
      // Sealed data of one row cannot be opened in another row.
      const [first, second] = rows;
      await server.database
        .updateTable('diaryEntries')
        .set({ sealed: first?.sealed ?? '' })
        .where('id', '=', second?.id ?? '')
        .execute();
      assert.ok((await phone.list()).items.every((item) => 'unreadable' in item));
      await phone.deleteEntry(damaged);
      await server.database.updateTable('diaries').set({ sealedKey: 'AAAA' }).execute();
      await phone.deleteEntry(well);
      assert.ok((await phone.list()).items.every((item) => 'deleted' in item));
    });

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

/** A server with a user, and the diary client on two devices of the user. */
async function withDevices(t: TestContext, kind: DatabaseKind, options: { passwordCost?: number } = {}) {
  const server = await startTestServer(t, kind, options);
  const ana = await server.join();
  const other = visitorAt(server.url, server.origin).client;
  await other.auth.signIn(credentialsOf(ana));
  return { server, ana, phone: await beginDiary(ana.client), laptop: await other.diary() };
}

/** Everything that a user could try to read a patient's diary. */
async function answersOf(user: TestUser, uid: string): Promise<string[]> {
  const tried = [
    ...[paths.documents.diaryEntries, paths.documents.diaryJson, paths.documents.diaryCsv],
    ...[paths.documents.wordMood(uid), paths.documents.user(uid), paths.documents.accountExport],
    ...[paths.documents.users, paths.documents.usersCsv, `${paths.documents.diaryEntries}?uid=${uid}`],
  ];
  return Promise.all(tried.map(async (one) => (await user.fetch(one)).text()));
}
