import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { paths } from '#contract/paths.ts';
import type { Member } from '#contract/user.ts';
import { cleanUp } from '#server/database/clean-up.ts';
import type { DatabaseKind } from '#server/database/connect.ts';
import { databaseKinds } from '#server/testing/databases.ts';
import { claims, goThroughGoogle, startWithGoogle } from '#server/testing/peers/google.ts';
import { tokenIn } from '#server/testing/peers/mailbox.ts';
import { refusedWith } from '#server/testing/refused.ts';
import { startTestServer, type TestServer, visitorAt } from '#server/testing/server.ts';
import { rateLimits } from '../rate-limits.ts';

const guest = { email: 'convidada@exemplo.com.br', displayName: 'Clara Convidada', password: 'clara12345' };
const newAccount = { displayName: guest.displayName, password: guest.password };
const hour = 60 * 60_000;

for (const kind of databaseKinds) {
  describe(`an invitation on ${kind}`, { concurrency: true }, () => {
    it('gives a new account its role, with a proved address and a session', async (t) => {
      const { server, admin, invite } = await start(t, kind);
      const token = await invite('Editora@Exemplo.com.br', 'editor', 'Venha escrever conosco.');
      const visitor = visitorAt(server.url);
      assert.deepEqual(await visitor.client.auth.findInvitation(token), {
        ...{ email: 'editora@exemplo.com.br', member: 'editor', needs: 'new-account', signedInAs: null },
      });
      await visitor.client.auth.acceptInvitation({ token, ...newAccount });
      const session = await visitor.client.auth.findSession();
      assert.deepEqual([session?.user.email, session?.user.emailVerified], ['editora@exemplo.com.br', true]);
      const record = await visitor.client.documents.getUser(session?.user.uid ?? '');
      assert.deepEqual(record && [record.member, record.displayName], ['editor', guest.displayName]);
      await visitor.client.auth.signOut();
      await visitor.client.auth.signIn({ email: 'editora@exemplo.com.br', password: guest.password });

      const { accessLog } = await visitor.client.documents.exportAccount();
      const changes = accessLog.filter(({ action }) => action === 'change');
      assert.deepEqual(
        changes.map(({ byId, what }) => ({ byId, what })),
        [{ byId: admin.uid, what: 'member' }],
      );
      assert.ok((await admin.client.auth.findSession()) !== undefined, 'the admin is still signed in');
      await visitor.client.documents.getCounts();
    });

    it('is mailed with its sentence, and no response and no row contains its link', async (t) => {
      const { server, admin, invite } = await start(t, kind);
      const token = await invite(guest.email, true, 'Boas-vindas <b>!');
      const [mail] = (await server.mails()).filter(({ subject = '' }) => subject.startsWith('Um convite'));
      assert.match(mail?.text ?? '', /Alice convida você .* papel nele: Membro\. .*“Boas-vindas <b>!”/);
      assert.match(mail?.text ?? '', /vale por 7 dias/);
      assert.ok(!(mail?.html ?? '').includes('<b>!'));
      const { invitations, sendsMail } = await admin.client.auth.listInvitations();
      const [{ id = '', createdAt = 0, expiresAt = 0, ...listed } = {}] = invitations;
      assert.deepEqual(listed, {
        ...{ email: guest.email, member: true, note: 'Boas-vindas <b>!', invitedBy: 'Alice' },
      });
      assert.equal(expiresAt - createdAt, 7 * 24 * hour);
      assert.equal(sendsMail, false);
      const rows = await server.database.selectFrom('invitations').selectAll().execute();
      assert.ok(!JSON.stringify([rows, invitations]).includes(token) && id !== '');
    });

    it('works once, also for two browsers at once', async (t) => {
      const { server, invite, accept } = await start(t, kind);
      const token = await invite(guest.email, 'editor');
      const statuses = await Promise.all([accept(token), accept(token)]);
      assert.deepEqual(statuses.sort(), [204, 400]);
      assert.equal(await accept(token), 400);
      const users = await server.database
        .selectFrom('users')
        .select('member')
        .where('email', '=', guest.email)
        .execute();
      assert.deepEqual(
        users.map(({ member }) => member),
        ['editor'],
      );
    });

    it('replaces those to its address, also when two are sent at once', async (t) => {
      const { server, admin, accept } = await start(t, kind);
      const input = { email: guest.email, member: 'editor' } as const;
      await Promise.all([admin.client.auth.invite(input), admin.client.auth.invite(input)]);
      assert.equal((await admin.client.auth.listInvitations()).invitations.length, 1);
      const statuses = await Promise.all((await server.mails()).map((mail) => accept(tokenIn(mail))));
      assert.deepEqual(statuses.sort(), [204, 400]);
    });

    it('changes nothing when its link is only looked at', async (t) => {
      const { server, invite } = await start(t, kind);
      const token = await invite(guest.email, 'admin');
      const before = await server.database.selectFrom('invitations').selectAll().execute();
      for (const method of ['GET', 'HEAD'])
        await server.visitor.fetch(`/convite?x=${token}`, { method, redirect: 'manual' });
      await server.visitor.client.auth.findInvitation(token);
      assert.deepEqual(await server.database.selectFrom('invitations').selectAll().execute(), before);
    });

    it('ends after seven days, an admin’s after one; the clean-up removes it', async (t) => {
      const { server, invite, accept } = await start(t, kind);
      for (const [email, member, hours] of [
        ['a@exemplo.com.br', 'editor', 7 * 24],
        ['b@exemplo.com.br', 'admin', 24],
      ] as const) {
        const token = await invite(email, member);
        await passTime(server, email, hours * hour - 60_000);
        await server.visitor.client.auth.findInvitation(token);
        await passTime(server, email, 2 * 60_000);
        assert.equal(await accept(token), 400);
        await assert.rejects(
          server.visitor.client.auth.findInvitation(token),
          refusedWith('auth/invalid-link'),
        );
      }
      await cleanUp(server.database, kind);
      assert.deepEqual(await server.database.selectFrom('invitations').select('id').execute(), []);
    });

    it('ends when it is withdrawn, replaced, or when its sender is no longer an admin', async (t) => {
      const { server, admin, invite, accept } = await start(t, kind);
      const first = await invite(guest.email, 'editor');
      const second = await invite(guest.email, true);
      assert.equal(await accept(first), 400);
      const [open, ...others] = (await admin.client.auth.listInvitations()).invitations;
      assert.deepEqual(others, []);
      await admin.client.auth.withdrawInvitation(open?.id ?? '');
      assert.equal(await accept(second), 400);
      await assert.rejects(
        admin.client.auth.withdrawInvitation(open?.id ?? ''),
        refusedWith('documents/not-found'),
      );

      const other = await server.join('admin');
      const third = await invite(guest.email, 'admin');
      await other.client.documents.updateUser(admin.uid, { member: 'editor' });
      assert.equal(await accept(third), 400);
      await other.client.documents.updateUser(admin.uid, { member: 'admin' });
      assert.equal(await accept(third), 400, 'also when its sender is an admin again');
      assert.deepEqual((await other.client.auth.listInvitations()).invitations, []);
      const users = server.database.selectFrom('users').select('id');
      assert.deepEqual(await users.where('email', '=', guest.email).execute(), []);
    });

    it('waits until the owner of an account has signed in, and changes only the role', async (t) => {
      const { server, invite, accept } = await start(t, kind);
      const ana = await proved(server);
      const other = await proved(server);
      const token = await invite(ana.email, 'editor');
      const state = async ({ client }: { client: typeof ana.client }) =>
        (await client.auth.findInvitation(token)).needs;
      assert.equal(await state(server.visitor), 'sign-in');
      assert.equal(await accept(token), 401);
      assert.equal(await state(other), 'sign-out');
      await assert.rejects(other.client.auth.acceptInvitation({ token }), refusedWith('auth/other-account'));
      assert.ok((await other.client.auth.findSession()) !== undefined, 'nobody is signed out');

      assert.equal(await state(ana), 'acceptance');
      const before = await ana.client.documents.getUser(ana.uid);
      await ana.client.auth.acceptInvitation({ token, displayName: 'Outra', password: 'outra12345' });
      assert.deepEqual(await ana.client.documents.getUser(ana.uid), { ...before, member: 'editor' });
      await server.visitor.client.auth.signIn({ email: ana.email, password: ana.password });
    });

    it('gives an account without a proved address to the owner of the address', async (t) => {
      const { server, invite } = await start(t, kind);
      const stranger = await server.join('no', 'Estranha');
      const token = await invite(stranger.email, 'admin');
      const owner = visitorAt(server.url);
      assert.equal((await owner.client.auth.findInvitation(token)).needs, 'new-account');
      await assert.rejects(
        stranger.client.auth.acceptInvitation({ token }),
        refusedWith('request/invalid'),
        'the role never goes to a session from before the proof',
      );
      await owner.client.auth.acceptInvitation({ token, ...newAccount });
      assert.equal(await stranger.client.auth.findSession(), undefined);
      await assert.rejects(
        visitorAt(server.url).client.auth.signIn({ email: stranger.email, password: stranger.password }),
        refusedWith('auth/invalid-credentials'),
      );
      assert.equal(((await owner.client.documents.getUser(stranger.uid)) || undefined)?.member, 'admin');
    });

    it('works after a sign-in with Google that proves the address', async (t) => {
      const { server } = await startWithGoogle(t, kind);
      const { invite } = await invitesOf(server);
      const token = await invite(claims.email, 'editor');
      const browser = visitorAt(server.url);
      await goThroughGoogle(browser);
      await browser.client.auth.acceptInvitation({ token });
      await browser.client.documents.getCounts();
    });

    it('never lowers a role', async (t) => {
      const { server, admin, invite } = await start(t, kind);
      await server.database
        .updateTable('users')
        .set({ emailVerified: true })
        .where('id', '=', admin.uid)
        .execute();
      const token = await invite(admin.email, 'editor');
      await admin.client.auth.acceptInvitation({ token });
      assert.equal(((await admin.client.documents.getUser(admin.uid)) || undefined)?.member, 'admin');
    });

    it('tells all other admins of a new admin by mail, and of no other role', async (t) => {
      const { server, admin, invite, accept } = await start(t, kind);
      const other = await server.join('admin');
      await accept(await invite('membro@exemplo.com.br', true));
      await accept(await invite(guest.email, 'admin'));
      const told = (await server.mails()).filter(({ subject = '' }) => subject.startsWith('Há mais uma'));
      assert.deepEqual(told.flatMap(({ to }) => to?.map(({ address }) => address)).sort(), [
        ...[admin.email, other.email].sort(),
      ]);
      assert.ok(told.every(({ text = '' }) => text.includes(`${guest.email} aceitou um convite de Alice`)));
    });

    it('is not made when its mail cannot go, and the earlier one stays', async (t) => {
      const { admin, invite, accept } = await start(t, kind);
      let token = '';
      for (let turn = 0; turn < rateLimits.mailByRecipient.attempts; turn += 1)
        token = await invite(guest.email, 'editor');
      await assert.rejects(
        admin.client.auth.invite({ email: guest.email, member: 'admin' }),
        refusedWith('auth/too-many-attempts'),
      );
      assert.equal((await admin.client.auth.listInvitations()).invitations.length, 1);
      assert.equal(await accept(token), 204);
    });

    it('refuses common passwords, and limits the attempts of an IP address', async (t) => {
      const { server, invite } = await start(t, kind);
      const token = await invite(guest.email, 'editor');
      const { client } = server.visitor;
      await assert.rejects(
        client.auth.acceptInvitation({ token, ...newAccount, password: 'senha123' }),
        refusedWith('request/invalid'),
      );
      for (let turn = 0; turn < rateLimits.invitationByAddress.attempts - 1; turn += 1)
        await assert.rejects(client.auth.findInvitation('nenhum'), refusedWith('auth/invalid-link'));
      await assert.rejects(client.auth.findInvitation(token), refusedWith('auth/too-many-attempts'));
    });
  });
}

async function start(t: TestContext, kind: DatabaseKind) {
  const server = await startTestServer(t, kind, { services: ['auth', 'documents', 'site'] });
  return { server, ...(await invitesOf(server)) };
}

/** Makes an admin who invites. */
async function invitesOf(server: TestServer) {
  const admin = await server.join('admin', 'Alice');
  return {
    admin,
    /** Invites a person. @returns the token in the mail */
    async invite(email: string, member: Member, note?: string): Promise<string> {
      const before = new Set((await server.mails()).map(({ messageId }) => messageId));
      await admin.client.auth.invite({ email, member, ...(note !== undefined && { note }) });
      const mails = await server.mails();
      return tokenIn(mails.find(({ messageId }) => !before.has(messageId)) ?? assert.fail('no mail'));
    },
    /** Accepts as a new visitor. @returns the status of the response */
    async accept(token: string): Promise<number> {
      const response = await visitorAt(server.url).fetch(paths.auth.acceptInvitation, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token, ...newAccount }),
      });
      return response.status;
    },
  };
}

/** Signs up a user whose address is proved. */
async function proved(server: TestServer) {
  const user = await server.join();
  await server.database
    .updateTable('users')
    .set({ emailVerified: true })
    .where('id', '=', user.uid)
    .execute();
  return user;
}

const passTime = ({ database }: TestServer, email: string, ms: number) =>
  database
    .updateTable('invitations')
    .set((row) => ({ expiresAt: row('expiresAt', '-', ms) }))
    .where('email', '=', email)
    .execute();
