import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { dayAfter, dayInBrasilia, mondayOf } from '#contract/calendar.ts';
import { answerableDays, type NewAssignment } from '#contract/diary/week.ts';
import { paths } from '#contract/paths.ts';
import type { DatabaseKind } from '../../database/connect.ts';
import { readEnvironment } from '../../environment.ts';
import { databaseKinds } from '../../testing/databases.ts';
import { addShare, joinClinician, joinProtected, signInWeakly } from '../../testing/diaries.ts';
import { refusedWith } from '../../testing/refused.ts';
import { sampleActivity } from '../../testing/samples.ts';
import { startTestServer, type TestUser } from '../../testing/server.ts';
import { until } from '../../testing/until.ts';
import { masterKeyOf } from '../keys/master-key.ts';
import { forgetDiaries, rotateMasterKey } from '../keys/replace-master-key.ts';
import { newKey } from '../keys/sealing.ts';
import { requireClinician } from '../sharing/valid-shares.ts';
import { proposeAssignment } from './assignments.ts';
import { answerDay, listAssignments } from './week.ts';

const today = dayInBrasilia(Date.now());
const canary = 'canario-amarelo-da-semana';

for (const kind of databaseKinds) {
  describe(`assignments on ${kind}`, { concurrency: true }, () => {
    it('are proposed without a share, answered, corrected and put aside; repeats change nothing', async (t) => {
      const { dora, ana, anaWeek, doraWeek, propose, practice } = await withWeek(t, kind);
      const input = await propose({ message: canary });
      await doraWeek.propose(ana.uid, { ...input, message: 'Outra.' });
      const [one, ...rest] = await anaWeek.list();
      assert.deepEqual(rest, []);
      assert.ok(one);
      const { createdAt: _, ...seen } = one;
      assert.deepEqual(seen, {
        ...input,
        ...{ title: practice.title, isPublic: true, withdrawnAt: null, days: [], skippedWeeks: [] },
        clinician: { uid: dora.uid, name: 'Dora' },
      });
      for (const state of ['done', 'not-done', 'not-done', 'done'] as const)
        await anaWeek.answer(input.id, today, state);
      assert.deepEqual((await anaWeek.list())[0]?.days, [{ day: today, state: 'done' }]);
      const monday = mondayOf(today);
      for (let time = 0; time < 2; time += 1) await anaWeek.skip(input.id, monday, true);
      assert.deepEqual((await anaWeek.list())[0]?.skippedWeeks, [monday]);
      for (let time = 0; time < 2; time += 1) {
        await anaWeek.answer(input.id, today, null);
        await anaWeek.skip(input.id, monday, false);
      }
      const [last] = await anaWeek.list();
      assert.deepEqual([last?.days, last?.skippedWeeks], [[], []]);
      assert.deepEqual((await ana.client.documents.exportAccount()).assignments, [last]);
    });

    it('are at most three, for at most 28 days, of public practices, to another user', async (t) => {
      const { server, dora, ana, doraWeek, propose, inputFor } = await withWeek(t, kind);
      const hidden = await dora.client.documents.createActivity(sampleActivity({ visibility: 'hidden' }));
      const bad: Partial<NewAssignment>[] = [
        ...[{ toDay: dayAfter(today, 28) }, { fromDay: dayAfter(today, 1), toDay: today }],
        ...[{ fromDay: dayAfter(today, -3) }, { fromDay: dayAfter(today, 40), toDay: dayAfter(today, 41) }],
        ...[{ timesPerWeek: 0 }, { timesPerWeek: 8 }, { message: 'a'.repeat(501) }],
        ...[
          { fromDay: 'amanhã' },
          { toDay: '2026-13-45' },
          { activityId: hidden.id },
          { activityId: 'nenhuma' },
        ],
      ];
      for (const change of bad)
        await assert.rejects(doraWeek.propose(ana.uid, inputFor(change)), refusedWith('request/invalid'));
      await assert.rejects(doraWeek.propose(dora.uid, inputFor()), refusedWith('request/invalid'));
      await assert.rejects(doraWeek.propose('ninguem', inputFor()), refusedWith('documents/not-found'));

      const first = await propose({ toDay: dayAfter(today, 27) });
      await assert.rejects(
        doraWeek.propose((await server.join()).uid, first),
        refusedWith('request/invalid'),
      );
      // The same id for two patients at the same moment.
      const [bia, caio] = [await server.join(), await server.join()];
      const twice = inputFor();
      const outcomes = await Promise.allSettled([bia, caio].map(({ uid }) => doraWeek.propose(uid, twice)));
      const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? one.reason : []));
      assert.deepEqual(
        refused.map(({ code }) => code),
        ['request/invalid'],
      );
      const results = await Promise.allSettled([1, 2, 3, 4].map(() => propose()));
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 2);
      await assert.rejects(propose(), refusedWith('documents/too-many-assignments'));
      for (let time = 0; time < 2; time += 1) await doraWeek.withdraw(ana.uid, first.id);
      await propose();
      // Past ones do not count, from the clinic's midnight on.
      const sunday = { fromDay: '2026-11-23', toDay: '2026-11-29' };
      await server.database.updateTable('assignments').set(sunday).execute();
      const diaryMasterKey = newKey();
      const monday = { fromDay: '2026-11-30', toDay: '2026-12-06' };
      const at = (time: string) =>
        proposeAssignment(
          { ...server, databaseKind: kind, diaryMasterKey },
          {
            ...{ uid: ana.uid, clinicianUid: dora.uid, input: inputFor(monday) },
            today: dayInBrasilia(Date.parse(time)),
          },
          Date.parse(time),
        );
      await assert.rejects(at('2026-11-29T23:59-03:00'), { code: 'documents/too-many-assignments' });
      await at('2026-11-30T00:01-03:00');
    });

    it('belong to their patient and their clinician alone, in a strong session', async (t) => {
      const { server, dora, ana, doraWeek, anaWeek, propose, inputFor } = await withWeek(t, kind);
      const { id } = await propose({ message: canary });
      const rui = await joinClinician(server, 'Rui');
      const ruiWeek = await rui.client.week();
      assert.deepEqual(await ruiWeek.ofPatient(ana.uid), { assignments: [], granted: [] });
      await assert.rejects(ruiWeek.withdraw(ana.uid, id), refusedWith('documents/not-found'));
      for (const member of ['no', 'member', 'editor', 'admin'] as const) {
        const other = await joinProtected(server, member);
        const week = await other.client.week();
        assert.deepEqual(await week.list(), []);
        const notFound = refusedWith('documents/not-found');
        await assert.rejects(week.answer(id, today, 'done'), notFound);
        await assert.rejects(week.skip(id, mondayOf(today), true), notFound);
        await assert.rejects(week.ofPatient(ana.uid), notFound);
        await assert.rejects(week.propose(ana.uid, inputFor()), notFound);
        await assert.rejects(week.withdraw(ana.uid, id), notFound);
      }
      const weak = await (await signInWeakly(server, dora)).week();
      const tooWeak = refusedWith('auth/strong-session-required');
      await assert.rejects(weak.ofPatient(ana.uid), tooWeak);
      await assert.rejects(weak.propose(ana.uid, inputFor()), tooWeak);
      await assert.rejects(weak.withdraw(ana.uid, id), tooWeak);
      for (const path of [paths.documents.week, paths.documents.assignments(ana.uid)])
        assert.equal((await server.visitor.fetch(path)).status, 401);
      assert.deepEqual(
        [(await anaWeek.list())[0]?.days, (await doraWeek.ofPatient(ana.uid)).granted],
        [[], []],
      );

      await doraWeek.withdraw(ana.uid, id);
      assert.deepEqual(await anaWeek.list(), []);
      await assert.rejects(anaWeek.answer(id, today, 'done'), refusedWith('documents/not-found'));
    });

    it('show the clinician answers only of days that a share with practices grants, and log the read', async (t) => {
      const { server, dora, ana, anaWeek, doraWeek, propose } = await withWeek(t, kind);
      const { id } = await propose();
      await anaWeek.answer(id, today, 'not-done');
      // An answer of last week.
      await server.database
        .updateTable('assignments')
        .set({ fromDay: dayAfter(today, -20) })
        .execute();
      await server.database
        .insertInto('assignmentDays')
        .values({ assignmentId: id, day: dayAfter(today, -9), state: 'done' })
        .execute();
      const read = async () => {
        const { assignments, granted } = await doraWeek.ofPatient(ana.uid);
        return { days: assignments[0]?.days, granted };
      };
      const nothing = { days: [], granted: [] };
      assert.deepEqual(await read(), nothing);
      await addShare(server, ana.uid, dora.clinician, { practices: false });
      await addShare(server, ana.uid, dora.clinician, { entryId: randomUUID(), from: today, to: today });
      await addShare(server, ana.uid, dora.clinician, { expiresAt: Date.now() - 1 });
      assert.deepEqual(await read(), nothing);
      assert.deepEqual(await readsOf(ana), []);

      const narrow = await addShare(server, ana.uid, dora.clinician, {
        ...{ from: dayAfter(today, -9), to: dayAfter(today, -5), notes: false },
      });
      const range = { from: dayAfter(today, -9), to: dayAfter(today, -5) };
      const old = { day: dayAfter(today, -9), state: 'done' };
      assert.deepEqual(await read(), { days: [old], granted: [range] });
      assert.deepEqual(await readsOf(ana), [{ what: 'week', ...range }]);
      await server.database
        .updateTable('diaryShares')
        .set({ endedAt: Date.now() })
        .where('id', '=', narrow)
        .execute();
      await addShare(server, ana.uid, dora.clinician);
      const all = { from: dayAfter(today, -20), to: today };
      assert.deepEqual(await read(), {
        days: [old, { day: today, state: 'not-done' }],
        granted: [all],
      });
      assert.deepEqual((await readsOf(ana)).at(0), { what: 'week', ...all });

      await server.database.schema.dropTable('diaryReads').execute();
      const failed = await dora.fetch(paths.documents.assignments(ana.uid));
      assert.equal(failed.status, 500);
      assert.ok(!(await failed.text()).includes('not-done'));
    });

    it('list their patient for the clinician, and keep the title of a deleted practice', async (t) => {
      const { dora, ana, anaWeek, doraWeek, propose, practice } = await withWeek(t, kind);
      const clinicians = await dora.client.clinicians();
      assert.deepEqual(await clinicians.sharedDiaries(), []);
      const { id } = await propose();
      const summary = {
        uid: ana.uid,
        displayName: 'Ana',
        shares: [],
        showsNote: false,
        hasAssignments: true,
      };
      assert.deepEqual(await clinicians.sharedDiaries(), [summary]);
      await dora.client.documents.deleteActivity(practice);
      for (const [one] of [await anaWeek.list(), (await doraWeek.ofPatient(ana.uid)).assignments])
        assert.deepEqual([one?.title, one?.isPublic], [practice.title, false]);
      await doraWeek.withdraw(ana.uid, id);
      assert.deepEqual(await clinicians.sharedDiaries(), []);
    });

    it('take answers of this week up to today, by the day that the patient has in any time zone', async (t) => {
      const { server, ana, anaWeek, propose } = await withWeek(t, kind);
      const { id } = await propose();
      await server.database
        .updateTable('assignments')
        .set({ fromDay: '2026-11-20', toDay: '2026-12-17' })
        .execute();
      const uid = ana.uid;
      const at = (time: string, day: string) =>
        answerDay({ ...server, databaseKind: kind }, { uid, id, day, state: 'done' }, Date.parse(time)).then(
          () => 'stored',
          (error: { code: string }) => error.code,
        );
      // Sunday 23:59 and Monday 00:01, in São Paulo, Rio Branco, Noronha and Lisbon.
      for (const zone of ['-03:00', '-05:00', '-02:00', '+00:00']) {
        assert.equal(await at(`2026-11-29T23:59:00${zone}`, '2026-11-29'), 'stored');
        assert.equal(await at(`2026-11-29T23:59:00${zone}`, '2026-11-23'), 'stored');
        assert.equal(await at(`2026-11-30T00:01:00${zone}`, '2026-11-30'), 'stored');
        assert.equal(await at(`2026-11-30T00:01:00${zone}`, '2026-12-02'), 'request/invalid');
        assert.equal(await at(`2026-12-01T15:00:00${zone}`, '2026-11-29'), 'request/invalid');
      }
      const { from, to } = answerableDays(Date.now());
      for (const day of ['2026-11-19', '2026-12-18', dayAfter(from, -1), dayAfter(to, 1)])
        await assert.rejects(anaWeek.answer(id, day, 'done'), refusedWith('request/invalid'));
      const skip = (monday: string) => anaWeek.skip(id, monday, true);
      for (const monday of [
        dayAfter(mondayOf(from), -7),
        dayAfter(mondayOf(to), 7),
        dayAfter(mondayOf(to), 1),
      ])
        await assert.rejects(skip(monday), refusedWith('request/invalid'));
    });

    it('are withdrawn with the role of their clinician, and not by a new name; past ones stay', async (t) => {
      const { server, dora, anaWeek, propose } = await withWeek(t, kind);
      const past = await propose();
      await server.database.updateTable('assignments').set({ toDay: '2020-01-01' }).execute();
      const { id } = await propose();
      const other = await joinProtected(server);
      const naming = { name: 'Dora Lua', crm: dora.clinician.crm, password: other.password };
      await (await other.client.clinicians()).name(dora.uid, naming);
      assert.equal((await anaWeek.list()).length, 2);
      await other.client.documents.updateUser(dora.uid, { member: 'editor' });
      assert.deepEqual(
        (await anaWeek.list()).map((one) => one.id),
        [past.id],
      );
      await assert.rejects(anaWeek.answer(id, today, 'done'), refusedWith('documents/not-found'));
    });

    it('are withdrawn when the account of their clinician is deleted', async (t) => {
      const { server, dora, ana, anaWeek, propose } = await withWeek(t, kind);
      await propose();
      await server.join('admin');
      await server.database.updateTable('users').set({ emailVerified: true }).execute();
      await dora.client.auth.deleteAccount({ password: dora.password });
      assert.deepEqual(await anaWeek.list(), []);
      const [kept] = (await ana.client.documents.exportAccount()).assignments;
      assert.ok(kept?.withdrawnAt);
    });

    if (kind === 'postgres')
      it('are withdrawn when they are proposed while the account of their clinician is deleted', async (t) => {
        const { server, dora, ana, anaWeek, inputFor } = await withWeek(t, kind);
        await server.join('admin');
        const { message: _, ...fields } = inputFor();
        const values = {
          ...{ ...fields, uid: ana.uid, clinicianUid: dora.uid, clinicianName: 'Dora', title: 'Respirar' },
          ...{ skippedWeeks: '[]', createdAt: 1, withdrawnAt: null, sealed: null },
        };
        const { deletion } = await server.database.transaction().execute(async (transaction) => {
          await requireClinician(transaction, kind, dora.uid);
          await transaction.insertInto('assignments').values(values).execute();
          const deletion = dora.client.auth.deleteAccount({ password: dora.password });
          const waiting = sql`select from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`;
          await until(async () => (await waiting.execute(server.database)).rows.length > 0);
          // Not the promise itself: the deletion waits for this transaction.
          return { deletion };
        });
        await deletion;
        assert.deepEqual(await anaWeek.list(), []);
      });

    it('leave no row after the deletion of the account, also of their answers', async (t) => {
      const { server, ana, anaWeek, propose } = await withWeek(t, kind);
      const { id } = await propose({ message: canary });
      await anaWeek.answer(id, today, 'done');
      await ana.client.auth.deleteAccount({ password: ana.password });
      for (const table of ['assignments', 'assignmentDays'] as const)
        assert.deepEqual(await server.database.selectFrom(table).selectAll().execute(), []);
    });

    it('leave no message in the database or its files; rotation and loss of the key cover it', async (t) => {
      const { server, anaWeek, propose } = await withWeek(t, kind);
      const { id } = await propose({ message: canary });
      const damaged = await propose({ message: 'Com calma.' });
      await server.mails();
      for (const file of await readdir(server.dataDir, { recursive: true, withFileTypes: true }))
        if (file.isFile())
          assert.ok(
            !(await readFile(path.join(file.parentPath, file.name))).includes(canary),
            `${file.name} contains the message`,
          );
      const { database, dataDir } = server;
      const rows = await database.selectFrom('assignments').selectAll().execute();
      assert.ok(!JSON.stringify(rows).includes(canary));
      // A message that was moved to another row cannot be opened.
      const sealed = rows.find((row) => row.id === id)?.sealed ?? '';
      await database.updateTable('assignments').set({ sealed }).where('id', '=', damaged.id).execute();
      const messages = async () =>
        new Map((await anaWeek.list()).map((one) => [one.id, one.message] as const));
      assert.deepEqual([(await messages()).get(id), (await messages()).get(damaged.id)], [canary, null]);

      const environment = { ...readEnvironment({}), dataDir };
      await rotateMasterKey({ environment, database, kind });
      const secret = await readFile(path.join(dataDir, 'diary-key'), 'utf8');
      const after = await database.selectFrom('assignments').selectAll().execute();
      assert.notEqual(after.find((row) => row.id === id)?.sealed, sealed);
      const again = await listAssignments(
        { database, diaryMasterKey: masterKeyOf(secret) },
        rows[0]?.uid ?? '',
      );
      assert.deepEqual(again.map(({ message }) => message).toSorted(), [canary, null].toSorted());
      await forgetDiaries(database);
      for (const one of await anaWeek.list()) assert.equal(one.message, '');
    });
  });
}

async function withWeek(t: TestContext, kind: DatabaseKind) {
  const server = await startTestServer(t, kind);
  const dora = await joinClinician(server);
  const ana = await server.join('no', 'Ana');
  const practice = await dora.client.documents.createActivity(sampleActivity({ title: 'Respirar' }));
  const doraWeek = await dora.client.week();
  const inputFor = (changes: Partial<NewAssignment> = {}): NewAssignment => ({
    ...{ id: randomUUID(), activityId: practice.id, message: '', timesPerWeek: 3 },
    ...{ fromDay: today, toDay: dayAfter(today, 6), ...changes },
  });
  const propose = async (changes?: Partial<NewAssignment>) => {
    const input = inputFor(changes);
    await doraWeek.propose(ana.uid, input);
    return input;
  };
  const anaWeek = await ana.client.week();
  return { server, dora, ana, doraWeek, anaWeek, practice, inputFor, propose };
}

async function readsOf(user: { client: TestUser['client'] }) {
  const reads = await (await user.client.diaryShares()).listReads();
  return reads.map(({ what, from, to }) => ({ what, from, to }));
}
