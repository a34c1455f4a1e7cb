import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { paths } from '#contract/paths.ts';
import { createAuthenticator } from '../../testing/authenticator-of-passkeys.ts';
import { databaseKinds } from '../../testing/databases.ts';
import {
  addShare,
  addShownNote,
  beginDiary,
  type Joined,
  joinClinician,
  joinProtected,
  signInWeakly,
} from '../../testing/diaries.ts';
import { tokenIn } from '../../testing/peers/mailbox.ts';
import { refusedWith } from '../../testing/refused.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const named = { name: 'Dora Prado', crm: 'CRM-SP 123456' };

for (const kind of databaseKinds) {
  describe(`clinicians on ${kind}`, { concurrency: true }, () => {
    it('are named, changed and removed by an admin who proves who they are, and all admins are told', async (t) => {
      const server = await startTestServer(t, kind);
      const [ana, dora] = [await joinProtected(server, 'admin', 'Ana'), await joinProtected(server)];
      const { email: third } = await server.join('admin');
      const patient = await server.join();
      const clinicians = await ana.client.clinicians();
      const input = { ...named, password: ana.password };
      await clinicians.name(dora.uid, {
        ...input,
        name: ' Dora Prado ',
        crm: 'crm/sp 012.3456'.replace('.', ''),
      });
      const listed = { uid: dora.uid, ...named };
      assert.deepEqual(await (await patient.client.clinicians()).list(), [listed]);
      const told = async () => {
        const mails = await server.mails();
        return mails
          .filter(({ subject }) => subject?.startsWith('Mudou quem pode ler diários'))
          .map(({ to, text }) => [to?.[0]?.address, text ?? ''] as const);
      };
      const first = await told();
      assert.deepEqual(first.map(([to]) => to).toSorted(), [ana.email, dora.email, third].toSorted());
      for (const [, text] of first) assert.match(text, /Ana nomeou .* Dora Prado, CRM-SP 123456/s);
      const { accessLog } = await dora.client.documents.exportAccount();
      assert.deepEqual(
        accessLog.map(({ by, action, what }) => [by, action, what]),
        [['Ana', 'change', 'clinician']],
      );

      const share = await addShare(server, patient.uid, listed);
      // The same number in another spelling changes nothing.
      await clinicians.name(dora.uid, { ...input, crm: 'CRMSP123.456' });
      assert.deepEqual(await endOf(server, share), { endedBy: null, isEnded: false });
      assert.equal((await told()).length, 3);

      await clinicians.name(dora.uid, { ...input, name: 'Dora Lima' });
      assert.deepEqual(await endOf(server, share), { endedBy: 'clinician', isEnded: true });
      assert.deepEqual(await clinicians.list(), [{ ...listed, name: 'Dora Lima' }]);
      // The first name again does not bring the share back.
      await clinicians.name(dora.uid, input);
      assert.deepEqual(await endOf(server, share), { endedBy: 'clinician', isEnded: true });

      const last = await addShare(server, patient.uid, listed);
      await clinicians.remove(dora.uid);
      assert.deepEqual(await clinicians.list(), []);
      assert.deepEqual(await endOf(server, last), { endedBy: 'clinician', isEnded: true });
      await assert.rejects(clinicians.remove(dora.uid), refusedWith('documents/not-found'));
      assert.equal((await told()).length, 12);
    });

    it('cannot be named with a stolen cookie or a stolen password alone', async (t) => {
      const server = await startTestServer(t, kind);
      const [ana, dora] = [await joinProtected(server), await joinProtected(server)];
      const name = async (by: Joined['client'], proof: object) =>
        (await by.clinicians()).name(dora.uid, { ...named, ...proof });
      // The cookie is that of a strong session.
      await assert.rejects(name(ana.client, { password: 'outra-senha' }), refusedWith('auth/wrong-password'));
      await assert.rejects(name(ana.client, {}), refusedWith('request/invalid'));
      const withPassword = await signInWeakly(server, ana);
      await assert.rejects(
        name(withPassword, { password: ana.password }),
        refusedWith('auth/strong-session-required'),
      );
      // An admin without a second factor, whatever the session says.
      const bia = await server.join('admin');
      await server.database
        .updateTable('sessions')
        .set({ strong: true })
        .where('userId', '=', bia.uid)
        .execute();
      await assert.rejects(
        name(bia.client, { password: bia.password }),
        refusedWith('auth/strong-session-required'),
      );
      // Without a password, a recent sign-in is not enough.
      await server.database.deleteFrom('accounts').where('userId', '=', ana.uid).execute();
      await assert.rejects(name(ana.client, {}), refusedWith('auth/wrong-passkey'));
      await assert.rejects(name(ana.client, { password: 'qualquer' }), refusedWith('auth/wrong-passkey'));
      assert.deepEqual(await (await ana.client.clinicians()).list(), []);
      assert.equal((await server.mails()).filter(({ subject }) => subject?.includes('diários')).length, 0);
    });

    it('can be named with a passkey instead of the password', async (t) => {
      const server = await startTestServer(t, kind);
      const ana = await joinProtected(server);
      const authenticator = await addPasskey(server, ana);
      const passkey = authenticator.sign(await ana.client.auth.getPasskeyChallenge());
      await (await ana.client.clinicians()).name(ana.uid, { ...named, passkey });
      assert.equal((await (await ana.client.clinicians()).list()).length, 1);
    });

    it('must be admins with a second factor or passkey, each with a CRM of their own', async (t) => {
      const server = await startTestServer(t, kind);
      const ana = await joinProtected(server);
      const other = await joinClinician(server);
      const clinicians = await ana.client.clinicians();
      const input = { ...named, password: ana.password };
      const editor = await joinProtected(server, 'editor');
      const plain = await server.join('admin');
      for (const { uid } of [editor, plain])
        await assert.rejects(clinicians.name(uid, input), refusedWith('documents/clinician-not-ready'));
      await assert.rejects(clinicians.name('ninguem', input), refusedWith('documents/not-found'));
      await assert.rejects(
        clinicians.name(ana.uid, { ...input, crm: other.clinician.crm.replace('-', '') }),
        refusedWith('documents/crm-taken'),
      );
      for (const crm of ['123456', 'CRM-SP', 'CRM 123456', 'CRM-XX 123456', 'CRM-SP 12345678901234567890'])
        await assert.rejects(
          clinicians.name(ana.uid, { ...input, crm }),
          refusedWith('request/invalid'),
          crm,
        );
      // Right-to-left controls would change how the text of a consent reads.
      for (const name of ['Dora \u202eodarP', 'Dora \u2067Prado'])
        await assert.rejects(
          clinicians.name(plain.uid, { ...input, name }),
          refusedWith('request/invalid'),
          name,
        );
      await addPasskey(server, plain);
      await clinicians.name(plain.uid, input);
      assert.equal((await clinicians.list()).length, 2);
    });

    const losses: Record<
      string,
      (ends: { server: TestServer; dora: Joined; admin: Joined }) => Promise<unknown>
    > = {
      'the admin role': ({ dora, admin }) =>
        admin.client.documents.updateUser(dora.uid, { member: 'editor' }),
      'the second factor': ({ dora }) => dora.client.auth.endSecondFactor({ password: dora.password }),
      'everything, because the owner of the address took over the account': async ({ server, dora }) => {
        await server.visitor.client.auth.requestPasswordReset(dora.email);
        const mail = (await server.mails()).find(({ subject }) =>
          subject?.startsWith('Criar uma nova senha'),
        );
        assert.ok(mail);
        await server.visitor.client.auth.resetPassword({ token: tokenIn(mail), password: 'outraSenha123' });
      },
      'the account': ({ dora }) => dora.client.auth.deleteAccount({ password: dora.password }),
    };
    for (const [loss, lose] of Object.entries(losses))
      it(`lose what patients granted together with ${loss}`, async (t) => {
        const server = await startTestServer(t, kind);
        const [dora, bia, admin] = [
          await joinClinician(server),
          await joinClinician(server, 'Bia'),
          await server.join('admin'),
        ];
        const patient = await server.join();
        await beginDiary(patient.client);
        const [share, kept] = [
          await addShare(server, patient.uid, dora.clinician),
          await addShare(server, patient.uid, bia.clinician),
        ];
        const note = { clinicianUid: dora.uid, day: '2099-01-01', answer: 'algo' };
        await addShownNote(server, patient.uid, note);
        await lose({ server, dora, admin });
        assert.deepEqual(await (await patient.client.clinicians()).list(), [bia.clinician]);
        assert.equal((await server.database.selectFrom('clinicians').select('uid').execute()).length, 1);
        assert.deepEqual(await endOf(server, share), { endedBy: 'clinician', isEnded: true });
        assert.deepEqual(await endOf(server, kept), { endedBy: null, isEnded: false });
        const notes = await server.database.selectFrom('consultationNotes').select('shownAt').execute();
        assert.deepEqual(
          notes.map(({ shownAt }) => shownAt),
          [null],
        );
      });

    it('stay clinicians until the last of several factors is gone', async (t) => {
      const server = await startTestServer(t, kind);
      const dora = await joinClinician(server);
      await addPasskey(server, dora);
      await addPasskey(server, dora);
      const list = async () => (await (await dora.client.clinicians()).list()).length;
      const proof = { password: dora.password };
      await dora.client.auth.endSecondFactor(proof);
      assert.equal(await list(), 1);
      const { passkeys } = await dora.client.documents.exportAccount();
      const [first, second] = passkeys.map(({ id }) => id);
      await dora.client.auth.deletePasskey(first ?? '', proof);
      assert.equal(await list(), 1);
      await dora.client.auth.deletePasskey(second ?? '', proof);
      assert.equal(await list(), 0);
      assert.deepEqual(await server.database.selectFrom('clinicians').selectAll().execute(), []);
    });

    it('are not changed by editors, patients or visitors', async (t) => {
      const server = await startTestServer(t, kind);
      const dora = await joinClinician(server);
      const callers = [await joinProtected(server, 'editor'), await server.join(), server.visitor];
      for (const caller of callers) {
        const clinicians = await caller.client.clinicians();
        const isVisitor = caller === server.visitor;
        const refused = refusedWith(isVisitor ? 'auth/unauthenticated' : 'auth/forbidden');
        const password = dora.password;
        await assert.rejects(clinicians.name(dora.uid, { ...named, password }), refused);
        await assert.rejects(clinicians.remove(dora.uid), refused);
        if (isVisitor) await assert.rejects(clinicians.list(), refused);
      }
      const answer = await dora.fetch(paths.documents.clinicians);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
    });
  });
}

async function endOf({ database }: TestServer, share: string) {
  const { endedAt, endedBy } = await database
    .selectFrom('diaryShares')
    .select(['endedAt', 'endedBy'])
    .where('id', '=', share)
    .executeTakeFirstOrThrow();
  return { endedBy, isEnded: endedAt !== null };
}

async function addPasskey({ origin }: TestServer, { client, password }: Joined) {
  const authenticator = createAuthenticator(origin);
  const setUp = await client.auth.beginPasskey({ password });
  await client.auth.addPasskey({ name: 'Celular', credential: authenticator.create(setUp) });
  return authenticator;
}
