import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { dayMs, mondayOf } from '#contract/calendar.ts';
import { diaryTerms, type NewDiaryConsent } from '#contract/diary/consent.ts';
import type { DiaryChange, DiaryDays, DiaryEntry } from '#contract/diary/entry.ts';
import { noteSeparator } from '#contract/diary/merge.ts';
import { limits } from '#contract/limits.ts';
import { paths } from '#contract/paths.ts';
import { databaseKinds } from '../testing/databases.ts';
import { beginDiary, change, dayAgo, withDevices, words } from '../testing/diaries.ts';
import { refusedWith } from '../testing/refused.ts';
import { startTestServer, type TestUser } from '../testing/server.ts';

const canary = 'canario-amarelo-do-diario';
const today = dayAgo(0);

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

    it('refuses the requests of a page that was opened for another user', async (t) => {
      const { server, ana, phone } = await withDevices(t, kind);
      const bia = await server.join();
      await beginDiary(bia.client);
      const [id, noteId] = [randomUUID(), randomUUID()];
      await (await bia.client.diary(bia.uid)).change(id, words('calma'));
      const [diary, shares] = await Promise.all([bia.client.diary(ana.uid), bia.client.diaryShares(ana.uid)]);
      const scope = { from: today, to: today, notes: true, practices: true, expiresAt: Date.now() + dayMs };
      const share = { id: noteId, clinicianUid: ana.uid, scope, consentVersion: '', consent: '' };
      const answers = { left: '', avoided: '', wanted: '' };
      for (const request of [
        () => diary.change(id, words('raiva')),
        () => diary.change(randomUUID(), words('raiva')),
        () => diary.deleteEntry(id),
        () => diary.deleteAll(),
        () => diary.pause(true),
        () => diary.giveConsent(diaryTerms),
        async () => diary.importFile({ file: await phone.exportFile() }),
        () => diary.days(),
        () => shares.grant(share),
        () => shares.saveNote(noteId, { base: 0, clinicianUid: ana.uid, day: today, answers } as never),
        () => shares.deleteNote(noteId),
      ])
        await assert.rejects(request(), refusedWith('auth/other-user'));
      const { items } = await (await bia.client.diary()).list();
      assert.deepEqual(
        items.map((item) => 'words' in item && item.words),
        [['calma']],
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
  });
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
