import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { dayAfter, dayInBrasilia } from '#contract/calendar.ts';
import type { ConsultationNote, NoteChange, NoteItem } from '#contract/diary/share.ts';
import { limits } from '#contract/limits.ts';
import type { DatabaseKind } from '../../database/connect.ts';
import { credentialsOf } from '../../testing/backups/clinic.ts';
import { databaseKinds } from '../../testing/databases.ts';
import { beginDiary, joinClinician } from '../../testing/diaries.ts';
import { refusedWith } from '../../testing/refused.ts';
import { startTestServer, visitorAt } from '../../testing/server.ts';

const today = dayInBrasilia(Date.now());
const canary = 'canario-verde-da-consulta';
const questions = ['O que ficou comigo da última consulta', 'O que evitei dizer', 'O que eu gostaria hoje'];

for (const kind of databaseKinds) {
  describe(`notes for a consultation on ${kind}`, { concurrency: true }, () => {
    it('are saved, shown, closed and deleted; a repeated request changes nothing', async (t) => {
      const { phone, noteFor } = await withNotes(t, kind);
      const id = randomUUID();
      const first = noteFor('A pausa.');
      const saved = await noteIn(phone.saveNote(id, first));
      const { base: _, ...content } = first;
      assert.deepEqual(saved, { id, revision: 1, shownAt: null, ...content });
      assert.deepEqual(await noteIn(phone.saveNote(id, first)), saved);
      const shown = await noteIn(phone.showNote(saved));
      assert.equal(shown.revision, 2);
      assert.ok(shown.shownAt !== null);
      // The response to the first request was lost.
      assert.deepEqual(await noteIn(phone.showNote(saved)), shown);
      const edit = { ...first, base: shown.revision, answers: ['A pausa longa.', '', ''] };
      const edited = await noteIn(phone.saveNote(id, edit));
      assert.deepEqual(edited, { ...shown, answers: edit.answers, revision: 3 });
      assert.deepEqual(await noteIn(phone.saveNote(id, edit)), edited);
      await Promise.all([phone.closeNote(id), phone.closeNote(id)]);
      assert.deepEqual(await phone.listNotes(), [{ ...edited, revision: 4, shownAt: null }]);
      for (let time = 0; time < 2; time += 1) await phone.deleteNote(id);
      assert.deepEqual(await phone.listNotes(), []);
      // A request that arrives late does not bring a deleted note back.
      assert.deepEqual(await phone.saveNote(id, first), { deleted: true });
      assert.deepEqual(await phone.showNote(edited), { deleted: true });
    });

    it('are never overwritten: the second of two devices gets the stored note', async (t) => {
      const { phone, laptop, noteFor } = await withNotes(t, kind);
      const id = randomUUID();
      const saved = await noteIn(phone.saveNote(id, noteFor('A pausa.')));
      const [one, other] = await Promise.all([
        phone.saveNote(id, { ...noteFor('No celular.'), base: saved.revision }),
        laptop.saveNote(id, { ...noteFor('No computador.'), base: saved.revision }),
      ]);
      const won = 'note' in one ? one.note : 'note' in other && other.note;
      assert.ok(won);
      assert.ok('conflict' in one || 'conflict' in other);
      assert.deepEqual('conflict' in one ? one.conflict : 'conflict' in other && other.conflict, won);
      assert.deepEqual(await phone.listNotes(), [won]);
      // The same text on both devices is no conflict.
      const same = { ...noteFor(won.answers[0] ?? ''), base: saved.revision };
      assert.deepEqual(await noteIn(laptop.saveNote(id, same)), won);

      // What the patient has not seen is not shown, and a text is not changed unseen once it is shown.
      assert.deepEqual(await laptop.showNote(saved), { conflict: won });
      const shown = await noteIn(phone.showNote(won));
      const unseen = { ...noteFor('Isto não é para mostrar.'), base: won.revision };
      assert.deepEqual(await laptop.saveNote(id, unseen), { conflict: shown });
    });

    it('are closed when they go to another clinician or day, and after the day', async (t) => {
      const { server, phone, noteFor } = await withNotes(t, kind);
      const other = await joinClinician(server, 'Dr. Caio');
      const id = randomUUID();
      const show = async () => {
        const [note] = await phone.listNotes();
        return noteIn(phone.showNote(note as ConsultationNote));
      };
      await phone.saveNote(id, noteFor('A pausa.'));
      const shown = await show();
      const moved = { ...noteFor('A pausa.'), base: shown.revision, clinicianUid: other.uid };
      const toOther = await noteIn(phone.saveNote(id, moved));
      assert.deepEqual([toOther.clinicianUid, toOther.shownAt], [other.uid, null]);
      const again = await show();
      const later = await noteIn(
        phone.saveNote(id, { ...moved, base: again.revision, day: dayAfter(today, 7) }),
      );
      assert.equal(later.shownAt, null);
      const last = await show();

      const setDay = (day: string) => server.database.updateTable('consultationNotes').set({ day }).execute();
      await setDay(dayAfter(today, -1));
      assert.deepEqual((await phone.listNotes())[0]?.shownAt, last.shownAt, 'still on the day after');
      await setDay(dayAfter(today, -2));
      const [over] = await phone.listNotes();
      assert.equal(over?.shownAt, null);
      await assert.rejects(phone.showNote(over as ConsultationNote), refusedWith('request/invalid'));
      // An old note can still be edited; it keeps its day.
      await noteIn(
        phone.saveNote(id, {
          ...noteFor('Foi bom.'),
          ...{ base: over?.revision ?? 0, clinicianUid: other.uid, day: dayAfter(today, -2) },
        }),
      );
    });

    it('need an answer, a day within a year, and a clinician who may read', async (t) => {
      const { server, ana, phone, noteFor } = await withNotes(t, kind);
      const save = (changes: Partial<NoteChange>) =>
        phone.saveNote(randomUUID(), { ...noteFor('A pausa.'), ...changes });
      const long = 'x'.repeat(limits.consultationAnswerMaxLength + 1);
      for (const changes of [
        { answers: ['', ' ', '\n'] },
        { answers: ['a'] },
        { answers: [long, '', ''] },
        { questions: ['a', 'b'] },
        { day: dayAfter(today, -2) },
        { day: dayAfter(today, 400) },
        { day: '2026-13-01' },
      ])
        await assert.rejects(save(changes), refusedWith('request/invalid'), JSON.stringify(changes));
      await save({
        answers: Array.from({ length: 3 }, () => '界'.repeat(limits.consultationAnswerMaxLength)),
      });
      const unavailable = refusedWith('documents/clinician-unavailable');
      for (const { uid } of [await server.join('admin'), await server.join(), { uid: 'ninguem' }])
        await assert.rejects(save({ clinicianUid: uid }), unavailable);
      await beginDiary(ana.client);
      const own = await ana.client.diaryShares();
      await assert.rejects(own.saveNote(randomUUID(), noteFor('Para mim.')), unavailable);

      const id = randomUUID();
      const note = await noteIn(phone.saveNote(id, noteFor('A pausa.')));
      await server.database.deleteFrom('clinicians').execute();
      await assert.rejects(phone.showNote(note), unavailable);
      // The text is still the patient's.
      await noteIn(phone.saveNote(id, { ...noteFor('Outra.'), base: note.revision }));
      assert.deepEqual(await phone.saveNote(randomUUID(), { ...noteFor('a'), base: 3 }), { deleted: true });
    });

    it('have a limit', async (t) => {
      const { server, bia, phone, noteFor } = await withNotes(t, kind);
      const id = randomUUID();
      await phone.saveNote(id, noteFor('A pausa.'));
      const [row] = await server.database.selectFrom('consultationNotes').selectAll().execute();
      assert.ok(row);
      const rows = Array.from({ length: limits.consultationNotesMaxItems - 1 }, () => ({
        ...row,
        id: randomUUID(),
      }));
      for (const one of rows) await server.database.insertInto('consultationNotes').values(one).execute();
      await assert.rejects(
        phone.saveNote(randomUUID(), noteFor('Mais uma.')),
        refusedWith('documents/too-many-notes'),
      );
      // The copied rows are sealed for another id.
      const { consultationNotes } = await bia.client.documents.exportAccount();
      assert.equal(consultationNotes.filter(isReadable).length, 1);
    });

    it('belong to their patient alone, and go with the diary', async (t) => {
      const { server, ana, bia, phone, noteFor } = await withNotes(t, kind);
      const id = randomUUID();
      const note = await noteIn(phone.saveNote(id, noteFor(canary)));
      for (const other of [await server.join(), await server.join('admin'), ana]) {
        await beginDiary(other.client);
        const theirs = await other.client.diaryShares();
        assert.deepEqual(await theirs.listNotes(), []);
        assert.deepEqual(await theirs.showNote(note), { deleted: true });
        assert.equal(await theirs.closeNote(id), undefined);
        await theirs.deleteNote(id);
      }
      assert.deepEqual(await phone.listNotes(), [note]);
      assert.deepEqual((await bia.client.documents.exportAccount()).consultationNotes, [note]);
      await (await bia.client.diary()).deleteAll();
      assert.deepEqual(await server.database.selectFrom('consultationNotes').selectAll().execute(), []);
      await beginDiary(bia.client);
      const next = await noteIn(phone.saveNote(randomUUID(), noteFor('Recomeço.')));
      assert.deepEqual(await phone.listNotes(), [next]);
      await bia.client.auth.deleteAccount({ password: bia.password });
      assert.deepEqual(await server.database.selectFrom('consultationNotes').selectAll().execute(), []);
    });

    it('leave no text in the database, its files, the records of use or mails; damage stays with one', async (t) => {
      const { server, phone, noteFor } = await withNotes(t, kind);
      const [damaged, well] = [randomUUID(), randomUUID()];
      for (const id of [damaged, well]) {
        const note = await noteIn(phone.saveNote(id, { ...noteFor(canary), questions: [canary, '', ''] }));
        await phone.showNote(note);
      }
      await server.mails();
      for (const file of await readdir(server.dataDir, { recursive: true, withFileTypes: true }))
        if (file.isFile()) {
          const bytes = await readFile(path.join(file.parentPath, file.name));
          assert.ok(!bytes.includes(canary), file.name);
        }
      const rows = await server.database.selectFrom('consultationNotes').selectAll().execute();
      assert.ok(!JSON.stringify(rows).includes(canary));

      const sealed = rows.find(({ id }) => id === damaged)?.sealed ?? '';
      await server.database
        .updateTable('consultationNotes')
        .set({ sealed: `${sealed.slice(0, 40)}${sealed[40] === 'A' ? 'B' : 'A'}${sealed.slice(41)}` })
        .where('id', '=', damaged)
        .execute();
      const listed = await phone.listNotes();
      assert.deepEqual(
        listed.filter(isReadable).map(({ id, answers }) => [id, answers[0]]),
        [[well, canary]],
      );
      await assert.rejects(
        phone.saveNote(damaged, noteFor('Por cima.')),
        refusedWith('documents/diary-entry-unreadable'),
      );
      await phone.closeNote(damaged);
      const state = (await phone.listNotes()).find(({ id }) => id === damaged);
      assert.deepEqual([state && 'unreadable' in state, state?.shownAt], [true, null]);
      await phone.deleteNote(damaged);
      assert.deepEqual(
        (await phone.listNotes()).map(({ id }) => id),
        [well],
      );
    });
  });
}

const isReadable = (note: NoteItem): note is ConsultationNote => !('unreadable' in note);

/** A server with a clinician, and a patient on two devices. */
async function withNotes(t: TestContext, kind: DatabaseKind) {
  const server = await startTestServer(t, kind);
  const [ana, bia] = [await joinClinician(server), await server.join('no', 'Bia')];
  await beginDiary(bia.client);
  const other = visitorAt(server.url, server.origin).client;
  await other.auth.signIn(credentialsOf(bia));
  const noteFor = (answer: string): NoteChange => ({
    ...{ base: 0, clinicianUid: ana.uid, day: today, questions, answers: [answer, '', ''] },
  });
  return {
    ...{ server, ana, bia, noteFor },
    ...{ phone: await bia.client.diaryShares(), laptop: await other.diaryShares() },
  };
}

/** The note of a result that has one. */
async function noteIn(result: Promise<{ note: ConsultationNote } | object>): Promise<ConsultationNote> {
  const found = await result;
  assert.ok('note' in found, JSON.stringify(found));
  return found.note as ConsultationNote;
}
