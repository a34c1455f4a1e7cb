import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { dayAfter, dayInBrasilia } from '#contract/calendar.ts';
import {
  type Clinician,
  consentText,
  consentVersion,
  endOfDay,
  type NewShare,
  type ShareScope,
} from '#contract/diary/share.ts';
import { limits } from '#contract/limits.ts';
import { defaultPasswordCost } from '../../auth/passwords/scrypt.ts';
import type { DatabaseKind } from '../../database/connect.ts';
import { backUpServer, createBackupPlace, createTarget, restoreInto } from '../../testing/backups/backups.ts';
import { credentialsOf, withServer } from '../../testing/backups/clinic.ts';
import { databaseKinds } from '../../testing/databases.ts';
import { beginDiary, joinClinician } from '../../testing/diaries.ts';
import { refusedWith } from '../../testing/refused.ts';
import { startTestServer, visitorAt } from '../../testing/server.ts';
import { readValidShares } from './valid-shares.ts';

const today = dayInBrasilia(Date.now());
const dayMs = 24 * 60 * 60_000;
const canary = 'canario-azul-da-partilha';

const scopeOf = (changes: Partial<ShareScope> = {}): ShareScope => ({
  ...{ from: dayAfter(today, -14), to: today, notes: false, practices: false },
  ...{ expiresAt: endOfDay(dayAfter(today, 30)) },
  ...changes,
});
const shareWith = (clinician: Clinician, changes: Partial<ShareScope> = {}): NewShare => {
  const scope = scopeOf(changes);
  return {
    ...{ id: randomUUID(), clinicianUid: clinician.uid, scope, consentVersion },
    consent: consentText(clinician, scope),
  };
};

for (const kind of databaseKinds) {
  describe(`shares of a diary on ${kind}`, { concurrency: true }, () => {
    it('are granted with the text of the consent, listed, and revoked; repeats change nothing', async (t) => {
      const { server, bia, shares, ana } = await withClinician(t, kind);
      const asked = shareWith(ana.clinician, { notes: true });
      const granted = await shares.grant(asked);
      assert.equal(granted.consent, asked.consent, 'the stored text is the one that the patient saw');
      assert.match(
        granted.consent,
        /^Autorizo Dora, CRM-SP \d+, a ler, nas consultas, as palavras e a intensidade do meu diário, de /,
      );
      assert.match(granted.consent, / Também minhas notas\. Termina em /);
      assert.equal(granted.consentDigest, createHash('sha256').update(asked.consent).digest('hex'));
      assert.deepEqual(
        [granted.consentVersion, granted.scope, granted.endedAt, granted.lastReadAt],
        [consentVersion, asked.scope, null, null],
      );
      assert.deepEqual(await shares.grant({ ...asked, scope: scopeOf({ practices: true }) }), granted);
      assert.deepEqual(await shares.list(), [granted]);
      assert.deepEqual(await validFor(server, ana.uid), [asked.id]);

      await noteRead(server, { uid: bia.uid, clinician: ana.clinician, shareId: asked.id, at: 5 });
      assert.equal((await shares.list())[0]?.lastReadAt, 5);
      assert.deepEqual(
        (await shares.listReads()).map(({ id: _, ...read }) => read),
        [{ clinician: ana.clinician, at: 5, what: 'entries', from: '2026-11-01', to: '2026-11-14' }],
      );

      await Promise.all([shares.revoke(asked.id), shares.revoke(asked.id)]);
      await shares.revoke(randomUUID());
      const [ended] = await shares.list();
      assert.equal(ended?.endedBy, 'patient');
      assert.deepEqual(await validFor(server, ana.uid), []);
      // Neither a repeated grant nor a repeated end changes the share.
      assert.deepEqual(await shares.grant(asked), ended);
      await shares.revoke(asked.id);
      assert.deepEqual(await shares.list(), [ended]);
    });

    it('are granted once if two requests arrive together', async (t) => {
      const { server, bia, shares, ana } = await withClinician(t, kind);
      await verifyEmail(server, bia.uid);
      const asked = shareWith(ana.clinician);
      const [one, other] = await Promise.all([shares.grant(asked), shares.grant(asked)]);
      assert.deepEqual(one, other);
      assert.equal((await shares.list()).length, 1);
      assert.equal((await server.mails()).length, 1);
    });

    it('are refused if the clinician has changed since the page was opened, or may not read', async (t) => {
      const { server, bia, shares, ana } = await withClinician(t, kind);
      const changed = refusedWith('documents/consent-changed');
      const unavailable = refusedWith('documents/clinician-unavailable');
      const seen = shareWith(ana.clinician);
      const { uid } = ana;
      const clinicians = () => server.database.updateTable('clinicians').where('uid', '=', uid);
      const users = () => server.database.updateTable('users').where('id', '=', uid);
      await clinicians().set({ crm: 'CRM-SP 999999' }).execute();
      await assert.rejects(shares.grant(seen), changed);
      await clinicians().set({ crm: ana.clinician.crm, name: 'Dra. Outra' }).execute();
      await assert.rejects(shares.grant(seen), changed);
      await clinicians().set({ name: ana.clinician.name }).execute();
      await assert.rejects(shares.grant({ ...seen, consent: `${seen.consent} ` }), changed);
      await assert.rejects(shares.grant({ ...seen, consentVersion: '2020-01-01' }), changed);

      await users().set({ twoFactorEnabled: false }).execute();
      await assert.rejects(shares.grant(seen), unavailable);
      await users().set({ twoFactorEnabled: true, member: 'editor' }).execute();
      await assert.rejects(shares.grant(seen), unavailable);
      const others = [await server.join('admin'), await server.join()];
      for (const other of others)
        await assert.rejects(shares.grant(shareWith({ ...ana.clinician, uid: other.uid })), unavailable);
      await users().set({ member: 'admin' }).execute();
      const own = await ana.client.diaryShares();
      await assert.rejects(own.grant(seen), refusedWith('request/invalid'), 'with oneself');
      assert.deepEqual(await shares.list(), []);

      await shares.grant(seen);
      await clinicians().set({ name: 'Dra. Outra' }).execute();
      assert.deepEqual(await validFor(server, uid), [], 'a change of the name ends what was granted');
      assert.equal(
        (await server.database.selectFrom('diaryShares').select('uid').execute())[0]?.uid,
        bia.uid,
      );
    });

    it('accept days in order, an end within 90 days, and one entry of its day', async (t) => {
      const { bia, shares, ana } = await withClinician(t, kind);
      const diary = await bia.client.diary();
      const entryId = randomUUID();
      const words = { add: ['calma'], remove: [] };
      const day = dayAfter(today, -1);
      await diary.change(entryId, { change: randomUUID(), day, zone: 'America/Sao_Paulo', words });
      const grant = (changes: Partial<ShareScope>) => shares.grant(shareWith(ana.clinician, changes));
      const invalid = refusedWith('request/invalid');
      for (const changes of [
        { from: today, to: dayAfter(today, -1) },
        { expiresAt: Date.now() - 1 },
        { expiresAt: Date.now() + limits.shareMaxDays * dayMs + 60_000 },
        { entryId, from: dayAfter(day, -1), to: day },
        { entryId, from: today, to: today },
        { entryId: randomUUID(), from: day, to: day },
        { from: '2026-02-30' },
      ])
        await assert.rejects(grant(changes), invalid, JSON.stringify(changes));
      const one = await grant({ entryId, from: day, to: day });
      assert.match(one.consent, /de uma anotação do meu diário, de \d+ de \S+ de \d+\. Termina/);
      await grant({ from: today, to: today, expiresAt: endOfDay(dayAfter(today, limits.shareMaxDays - 1)) });
      assert.equal((await shares.list()).length, 2);
    });

    it('have a limit; those that are over make room', async (t) => {
      const { server, shares, ana } = await withClinician(t, kind);
      const all = Array.from({ length: limits.sharesMaxOpen }, () => shareWith(ana.clinician));
      await Promise.all(all.map((one) => shares.grant(one)));
      const another = shareWith(ana.clinician);
      await assert.rejects(shares.grant(another), refusedWith('documents/too-many-shares'));
      await server.database
        .updateTable('diaryShares')
        .set({ expiresAt: Date.now() - 1 })
        .where('id', '=', all[0]?.id ?? '')
        .execute();
      assert.ok(!(await validFor(server, ana.uid)).includes(all[0]?.id ?? ''), 'an expired share ends');
      await shares.grant(another);
    });

    it('belong to their patient alone', async (t) => {
      const { server, bia, shares, ana } = await withClinician(t, kind);
      const asked = shareWith(ana.clinician);
      await shares.grant(asked);
      await noteRead(server, { uid: bia.uid, clinician: ana.clinician, shareId: asked.id, at: 5 });
      for (const other of [await server.join(), await server.join('admin'), ana]) {
        const theirs = await other.client.diaryShares();
        assert.deepEqual([await theirs.list(), await theirs.listReads()], [[], []]);
        await theirs.revoke(asked.id);
      }
      assert.deepEqual(await validFor(server, ana.uid), [asked.id]);
    });

    it('are confirmed by mails that tell nothing about them, to a verified email address', async (t) => {
      const { server, bia, shares, ana } = await withClinician(t, kind, {
        environment: { MAIL_FROM: 'Clínica de Psiquiatria <contato@exemplo.com.br>' },
      });
      const before = shareWith(ana.clinician);
      await shares.grant(before);
      await shares.revoke(before.id);
      assert.deepEqual(await server.mails(), [], 'the address may belong to another person');
      await verifyEmail(server, bia.uid);
      const asked = [shareWith(ana.clinician, { notes: true }), shareWith(ana.clinician)];
      for (const one of [...asked, ...asked]) await shares.grant(one);
      for (const { id } of [asked[0] as NewShare, asked[0] as NewShare]) await shares.revoke(id);
      await (await bia.client.diary()).deleteAll();
      await (await bia.client.diary()).deleteAll();
      const mails = await server.mails();
      assert.deepEqual(mails.map(({ subject }) => subject).sort(), [
        ...['Uma autorização começou', 'Uma autorização começou'],
        ...['Uma autorização terminou', 'Uma autorização terminou'],
      ]);
      for (const { from, to, headers, subject, text = '', html = '' } of mails) {
        assert.deepEqual(
          [from?.name, from?.address, to?.[0]?.address],
          ['Lembrete', 'contato@exemplo.com.br', bia.email],
        );
        assert.equal(headers.find(({ key }) => key === 'auto-submitted')?.value, 'auto-generated');
        assert.match(text, /\/diario\/compartilhar\n/);
        for (const telling of [
          ...[ana.clinician.name, ana.clinician.crm, 'Prado', 'CRM', 'Psiquiatria', 'Clínica', 'clínica'],
          ...['Nome Sobrenome', 'palavra', 'nota', 'consulta', 'humor'],
        ])
          assert.ok(!`${subject} ${text} ${html}`.includes(telling), telling);
      }
    });

    it('end with the diary, and are in the account export with their consent', async (t) => {
      const { server, bia, shares, ana } = await withClinician(t, kind);
      const asked = shareWith(ana.clinician);
      await shares.grant(asked);
      await noteRead(server, { uid: bia.uid, clinician: ana.clinician, shareId: asked.id, at: 5 });
      await (await bia.client.diary()).deleteAll();
      assert.deepEqual(await validFor(server, ana.uid), []);
      const exported = await bia.client.documents.exportAccount();
      assert.deepEqual(
        exported.diaryShares.map(({ consent, endedBy }) => [consent, endedBy]),
        [[asked.consent, 'patient']],
      );
      assert.deepEqual(
        exported.diaryReads.map(({ at, what }) => [at, what]),
        [[5, 'entries']],
      );
      await bia.client.auth.deleteAccount({ password: bia.password });
      for (const table of ['diaryShares', 'diaryReads'] as const)
        assert.deepEqual(await server.database.selectFrom(table).selectAll().execute(), []);
    });

    it('are left out where a row is damaged, and the others work', async (t) => {
      const { server, bia, shares, ana } = await withClinician(t, kind);
      const [damaged, well] = [shareWith(ana.clinician), shareWith(ana.clinician, { notes: true })];
      for (const one of [damaged, well]) await shares.grant(one);
      await server.database
        .updateTable('diaryShares')
        .set({ scope: '{' })
        .where('id', '=', damaged.id)
        .execute();
      const listed = (await shares.list()).map(({ id }) => id);
      assert.deepEqual(listed, [well.id]);
      assert.deepEqual(await validFor(server, ana.uid), [well.id]);
      assert.equal((await bia.client.documents.exportAccount()).diaryShares.length, 1);
    });

    it('end with a restore: those of the backup, and those that were revoked since', async (t) => {
      const { server, bia, shares, ana } = await withClinician(t, kind, {
        passwordCost: defaultPasswordCost,
      });
      const place = await createBackupPlace(t);
      const asked = [shareWith(ana.clinician), shareWith(ana.clinician)];
      for (const one of asked) await shares.grant(one);
      const notes = [randomUUID(), randomUUID(), randomUUID()] as const;
      const [shown, closed, deleted] = notes;
      const texts = { questions: ['a?', 'b?', 'c?'], answers: [canary, '', ''] };
      const note = { ...texts, base: 0, clinicianUid: ana.uid, day: today };
      for (const id of notes) {
        const saved = await shares.saveNote(id, note);
        assert.ok('note' in saved);
        await shares.showNote(saved.note);
      }
      const made = await backUpServer(server, place);
      await shares.revoke(asked[0]?.id ?? '');
      await shares.closeNote(closed);
      await shares.deleteNote(deleted);
      await backUpServer(server, place);
      const target = await createTarget(t, kind);
      await restoreInto(target, place, { snapshot: made?.snapshot ?? '' });
      await withServer(t, target, async (url) => {
        const { client } = visitorAt(url, url);
        await client.auth.signIn(credentialsOf(bia));
        const again = await client.diaryShares();
        assert.deepEqual(
          (await again.list()).map(({ endedBy }) => endedBy),
          ['restore', 'restore'],
        );
        assert.deepEqual(
          (await again.listNotes())
            .map((one) => [one.id, one.shownAt, 'answers' in one && one.answers[0]])
            .sort(),
          [shown, closed].map((id) => [id, null, canary]).sort(),
        );
        assert.deepEqual(await again.saveNote(deleted, note), { deleted: true });
      });
    });
  });
}

/** A server with a patient and a clinician. */
async function withClinician(
  t: TestContext,
  kind: DatabaseKind,
  options: { environment?: Record<string, string>; passwordCost?: number } = {},
) {
  const server = await startTestServer(t, kind, options);
  const [ana, bia] = [await joinClinician(server), await server.join('no', 'Bia')];
  await beginDiary(bia.client);
  return { server, ana, bia, shares: await bia.client.diaryShares() };
}

type Server = Awaited<ReturnType<typeof startTestServer>>;

/** The ids of the shares that a clinician may use now. */
const validFor = async ({ database }: Server, uid: string) =>
  (await readValidShares(database, uid)).map(({ id }) => id);

async function verifyEmail({ database }: Server, uid: string): Promise<void> {
  await database.updateTable('users').set({ emailVerified: true }).where('id', '=', uid).execute();
}

/** Writes what the server writes when a clinician reads. */
async function noteRead(
  { database }: Server,
  { uid, clinician, shareId, at }: { uid: string; clinician: Clinician; shareId: string; at: number },
): Promise<void> {
  await database
    .insertInto('diaryReads')
    .values({
      ...{ id: randomUUID(), uid, at, what: 'entries', shareId, fromDay: '2026-11-01', toDay: '2026-11-14' },
      ...{ clinicianUid: clinician.uid, clinicianName: clinician.name, crm: clinician.crm },
    })
    .execute();
}
