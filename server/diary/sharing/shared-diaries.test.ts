import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { hasCode } from '#client/client-error.ts';
import { limits } from '#contract/limits.ts';
import { paths } from '#contract/paths.ts';
import type { DatabaseKind } from '../../database/connect.ts';
import { databaseKinds } from '../../testing/databases.ts';
import {
  addEntry,
  addShare,
  addShownNote,
  beginDiary,
  joinClinician,
  joinProtected,
  signInWeakly,
} from '../../testing/diaries.ts';
import { refusedWith } from '../../testing/refused.ts';
import { sampleActivity } from '../../testing/samples.ts';
import { startTestServer, type TestServer, type TestUser } from '../../testing/server.ts';

const dayMs = 24 * 60 * 60_000;
/** A day in Brasília, the time zone of the sample content. */
const dayAgo = (days: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format(Date.now() - days * dayMs);
const canary = 'canario-azul-do-diario';

for (const kind of databaseKinds) {
  describe(`shared diaries on ${kind}`, { concurrency: true }, () => {
    it('show a clinician the granted parts of the granted days, and combine several shares', async (t) => {
      const { server, dora, ana, clinicians } = await withClinician(t, kind);
      const practice = await dora.client.documents.createActivity(sampleActivity({ title: 'Respirar' }));
      const fields = {
        words: { add: ['sono'], remove: [] },
        ...{ intensity: 4, time: '23:40', note: { base: 0, text: canary } },
        practices: { add: [practice.id, 'apagada'], remove: [] },
        toward: { axis: 'family' as const, words: 'Liguei para casa.' },
      };
      const [old, first, second] = [
        await addEntry(ana, { ...fields, day: dayAgo(9) }),
        await addEntry(ana, { ...fields, day: dayAgo(5) }),
        await addEntry(ana, { ...fields, day: dayAgo(4) }),
      ];
      await addShare(server, ana.uid, dora.clinician, {
        ...{ from: dayAgo(5), to: dayAgo(4), notes: false, practices: false },
      });
      const plain = { time: '23:40', words: ['sono'], intensity: 4 };
      const narrow = await clinicians.sharedEntries(ana.uid);
      assert.deepEqual(narrow, {
        entries: [
          { id: second, day: dayAgo(4), ...plain },
          { id: first, day: dayAgo(5), ...plain },
        ],
        ...{ titles: {}, unreadable: [], next: null },
      });
      const answer = await dora.fetch(paths.documents.sharedEntries(ana.uid));
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      assert.ok(!(await answer.text()).includes(canary));

      await addShare(server, ana.uid, dora.clinician, {
        ...{ from: dayAgo(4), to: dayAgo(4), notes: true, practices: false },
      });
      await addShare(server, ana.uid, dora.clinician, {
        ...{ from: dayAgo(9), to: dayAgo(9), entryId: old, notes: false, practices: true },
      });
      const wide = await clinicians.sharedEntries(ana.uid);
      const practices = [practice.id, 'apagada'];
      assert.deepEqual(wide.entries, [
        { id: second, day: dayAgo(4), ...plain, note: canary, joined: false },
        { id: first, day: dayAgo(5), ...plain },
        { id: old, day: dayAgo(9), ...plain, practices, toward: fields.toward },
      ]);
      assert.deepEqual(wide.titles, { [practice.id]: 'Respirar' });
      const [summary] = await clinicians.sharedDiaries();
      assert.deepEqual([summary?.uid, summary?.shares.length, summary?.showsNote], [ana.uid, 3, false]);
      assert.deepEqual(await clinicians.sharedDiary(ana.uid), summary);
    });

    it('are in the access log before the answer, and are not shown if that fails', async (t) => {
      const { server, dora, ana, clinicians } = await withClinician(t, kind);
      await addEntry(ana, { day: dayAgo(3) });
      const share = await addShare(server, ana.uid, dora.clinician, { from: dayAgo(20), to: dayAgo(-20) });
      await addShownNote(server, ana.uid, { clinicianUid: dora.uid, day: dayAgo(0), answer: canary });
      await clinicians.sharedEntries(ana.uid, { from: dayAgo(7) });
      await clinicians.sharedNotes(ana.uid);
      const reads = await server.database.selectFrom('diaryReads').selectAll().orderBy('at').execute();
      const { uid: clinicianUid, name: clinicianName, crm } = dora.clinician;
      const common = { uid: ana.uid, clinicianUid, clinicianName, crm };
      assert.deepEqual(
        reads.map(({ id: _, at: __, ...read }) => read),
        [
          { ...common, what: 'entries', shareId: share, fromDay: dayAgo(7), toDay: dayAgo(0) },
          { ...common, what: 'note', shareId: null, fromDay: dayAgo(0), toDay: dayAgo(0) },
        ],
      );
      await server.database.schema.dropTable('diaryReads').execute();
      for (const path of [paths.documents.sharedEntries(ana.uid), paths.documents.sharedNote(ana.uid)]) {
        const answer = await dora.fetch(path);
        assert.equal(answer.status, 500);
        assert.ok(!(await answer.text()).includes(canary));
      }
    });

    it('answer 404 to everyone but a clinician with a valid share, also about unknown users', async (t) => {
      const { server, dora, ana } = await withClinician(t, kind);
      const other = await joinClinician(server, 'Rui');
      const silent = await server.join();
      await addEntry(ana);
      await addShare(server, ana.uid, dora.clinician);
      await addShare(server, ana.uid, other.clinician, { expiresAt: Date.now() - 1 });
      await addShownNote(server, ana.uid, { clinicianUid: dora.uid, day: dayAgo(0), answer: canary });
      const rest = [
        ...[ana, silent, await server.join('member'), await server.join('editor')],
        await joinProtected(server, 'editor'),
        await joinProtected(server),
        other,
      ];
      for (const caller of rest) {
        for (const uid of [ana.uid, silent.uid, 'ninguem'])
          for (const path of routesOf(uid)) assert.equal(await codeAt(caller, path), 'documents/not-found');
        const list = await (await caller.client.clinicians())
          .sharedDiaries()
          .catch((error: unknown) => error);
        if (caller === other) assert.deepEqual(list, []);
        else assert.ok(hasCode(list, 'documents/not-found'));
      }
      for (const path of [paths.documents.sharedDiaries, ...routesOf(ana.uid)])
        assert.equal(await codeAt(server.visitor, path), 'auth/unauthenticated');
      for (const uid of [silent.uid, 'ninguem'])
        for (const path of routesOf(uid)) assert.equal(await codeAt(dora, path), 'documents/not-found');
      for (const path of routesOf(ana.uid)) assert.equal((await dora.fetch(path)).status, 200);
    });

    it('need a session that began with the second factor or a passkey', async (t) => {
      const { server, dora, ana } = await withClinician(t, kind);
      await addShare(server, ana.uid, dora.clinician);
      const weak = await (await signInWeakly(server, dora)).clinicians();
      for (const uid of [ana.uid, 'ninguem']) {
        await assert.rejects(weak.sharedDiary(uid), refusedWith('auth/strong-session-required'));
        await assert.rejects(weak.sharedEntries(uid), refusedWith('auth/strong-session-required'));
        await assert.rejects(weak.sharedNotes(uid), refusedWith('auth/strong-session-required'));
      }
      await assert.rejects(weak.sharedDiaries(), refusedWith('auth/strong-session-required'));
      assert.deepEqual(await server.database.selectFrom('diaryReads').selectAll().execute(), []);
    });

    const ends: Record<string, (server: TestServer, share: string, uid: string) => Promise<unknown>> = {
      'is revoked': ({ database }, share) =>
        database
          .updateTable('diaryShares')
          .set({ endedAt: Date.now(), endedBy: 'patient' })
          .where('id', '=', share)
          .execute(),
      'has expired': ({ database }, share) =>
        database.updateTable('diaryShares').set({ expiresAt: Date.now() }).where('id', '=', share).execute(),
      'names the clinician otherwise': ({ database }, _, uid) =>
        database.updateTable('clinicians').set({ name: 'Outra' }).where('uid', '=', uid).execute(),
      // Also without the removal of the clinician.
      'is of a clinician who is no admin any more': ({ database }, _, uid) =>
        database.updateTable('users').set({ member: 'editor' }).where('id', '=', uid).execute(),
      'is of a clinician without a second factor': ({ database }, _, uid) =>
        database.updateTable('users').set({ twoFactorEnabled: false }).where('id', '=', uid).execute(),
    };
    for (const [how, end] of Object.entries(ends))
      it(`stop at the next request once the share ${how}`, async (t) => {
        const { server, dora, ana, clinicians } = await withClinician(t, kind);
        await addEntry(ana);
        const share = await addShare(server, ana.uid, dora.clinician);
        assert.equal((await clinicians.sharedEntries(ana.uid)).entries.length, 1);
        await end(server, share, dora.uid);
        for (const path of routesOf(ana.uid)) assert.equal(await codeAt(dora, path), 'documents/not-found');
      });

    it('show a note for a consultation while it is shown, until the day after its day', async (t) => {
      const { server, dora, ana, clinicians } = await withClinician(t, kind);
      const add = (day: string, clinicianUid = dora.uid) =>
        addShownNote(server, ana.uid, { clinicianUid, day, answer: canary });
      const [yesterday, later] = [await add(dayAgo(1)), await add(dayAgo(-3))];
      await add(dayAgo(2));
      await add(dayAgo(0), 'outra');
      const answers = [
        { question: 'O que evitei dizer', answer: canary },
        { question: 'O que eu gostaria hoje', answer: '' },
        { question: 'O que ficou comigo', answer: '' },
      ];
      assert.deepEqual(await clinicians.sharedNotes(ana.uid), [
        { id: yesterday, day: dayAgo(1), answers },
        { id: later, day: dayAgo(-3), answers },
      ]);
      // Without a share, the clinician reads the note and no entry.
      const summary = {
        uid: ana.uid,
        displayName: 'Ana',
        shares: [],
        showsNote: true,
        hasAssignments: false,
      };
      assert.deepEqual(await clinicians.sharedDiaries(), [summary]);
      await assert.rejects(clinicians.sharedEntries(ana.uid), refusedWith('documents/not-found'));

      await server.database
        .updateTable('consultationNotes')
        .set({ sealed: 'AAAA' })
        .where('id', '=', later)
        .execute();
      const damaged = await clinicians.sharedNotes(ana.uid);
      assert.deepEqual(
        damaged.map(({ answers: one }) => one),
        [answers, null],
      );
      await server.database.updateTable('consultationNotes').set({ shownAt: null }).execute();
      await assert.rejects(clinicians.sharedNotes(ana.uid), refusedWith('documents/not-found'));
      assert.deepEqual(await clinicians.sharedDiaries(), []);
    });

    it('come in pages of whole days, and name the days of damaged entries', async (t) => {
      const { server, dora, ana, clinicians } = await withClinician(t, kind);
      const id = await addEntry(ana, { day: dayAgo(0) });
      const [row] = await server.database.selectFrom('diaryEntries').selectAll().execute();
      assert.ok(row);
      // Copied rows cannot be opened, because their ids differ.
      const perDay = limits.diaryPageMaxItems / 2 + 1;
      const copies = [1, 2, 3].flatMap((days) =>
        Array.from({ length: perDay }, (_, place) => ({
          ...{ ...row, id: `${days}-${place}`, day: dayAgo(days), revision: days * 1_000 + place },
        })),
      );
      for (let start = 0; start < copies.length; start += 100)
        await server.database
          .insertInto('diaryEntries')
          .values(copies.slice(start, start + 100))
          .execute();
      await addShare(server, ana.uid, dora.clinician, { from: dayAgo(30), to: dayAgo(0) });
      const first = await clinicians.sharedEntries(ana.uid);
      assert.deepEqual(
        first.entries.map((entry) => entry.id),
        [id],
      );
      assert.equal(first.unreadable.length, 2 * perDay);
      assert.equal(first.next, dayAgo(3));
      const second = await clinicians.sharedEntries(ana.uid, { to: first.next ?? '' });
      assert.deepEqual([new Set(second.unreadable), second.next], [new Set([dayAgo(3)]), null]);
      const reads = await server.database.selectFrom('diaryReads').selectAll().orderBy('at').execute();
      assert.deepEqual(
        reads.map(({ fromDay, toDay }) => [fromDay, toDay]),
        [
          [dayAgo(2), dayAgo(0)],
          [dayAgo(30), dayAgo(3)],
        ],
      );
      const none = await clinicians.sharedEntries(ana.uid, { from: dayAgo(29), to: dayAgo(28) });
      assert.deepEqual(none, { entries: [], titles: {}, unreadable: [], next: null });
    });
  });
}

async function withClinician(t: TestContext, kind: DatabaseKind) {
  const server = await startTestServer(t, kind);
  const dora = await joinClinician(server);
  const ana = await server.join('no', 'Ana');
  await beginDiary(ana.client);
  return { server, dora, ana, clinicians: await dora.client.clinicians() };
}

const routesOf = (uid: string) => [
  paths.documents.sharedDiary(uid),
  paths.documents.sharedEntries(uid),
  paths.documents.sharedNote(uid),
];

async function codeAt(user: TestUser, path: string): Promise<string> {
  const answer = await user.fetch(path);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  return ((await answer.json()) as { code: string }).code;
}
