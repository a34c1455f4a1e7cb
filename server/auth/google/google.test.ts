import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { paths } from '#contract/paths.ts';
import { databaseKinds } from '#server/testing/databases.ts';
import { claims, goThroughGoogle, startWithGoogle } from '#server/testing/peers/google.ts';
import { visitorAt } from '#server/testing/server.ts';

for (const kind of databaseKinds) {
  describe(`sign-in with Google on ${kind}`, { concurrency: true }, () => {
    it('signs up a new user and writes the record of the specification', async (t) => {
      const { server } = await startWithGoogle(t, kind);
      const { client } = server.visitor;
      assert.deepEqual(await client.auth.findMethods(), { google: true });
      const { authorize, landed, cookies } = await goThroughGoogle(server.visitor);
      assert.equal(landed, '/entrar-com-google');
      assert.ok(
        cookies.some((line) => line.startsWith('acolhe-known=')),
        'strangers cannot lock the account',
      );
      for (const name of ['state', 'nonce', 'code_challenge'])
        assert.ok(authorize.searchParams.get(name), name);
      assert.equal(authorize.searchParams.get('code_challenge_method'), 'S256');
      const session = await client.auth.findSession();
      assert.equal(session?.user.emailVerified, true);
      assert.deepEqual(await client.documents.getUser(session?.user.uid ?? ''), {
        id: session?.user.uid,
        displayName: claims.name,
        email: claims.email,
        research: false,
        member: false,
        staff: false,
        profilePic: false,
        category: 'patient',
      });
    });

    it('updates the name and keeps category and member when a user signs in again', async (t) => {
      const { server, sign } = await startWithGoogle(t, kind);
      const { client } = server.visitor;
      await goThroughGoogle(server.visitor);
      const uid = (await client.auth.findSession())?.user.uid ?? '';
      await server.database
        .updateTable('users')
        .set({ category: 'staff', member: 'member', displayName: 'Outro' })
        .where('id', '=', uid)
        .execute();
      sign(({ payload }) => Object.assign(payload, claims, { name: 'Ana Souza Lima' }));
      const phone = visitorAt(server.url);
      await goThroughGoogle(phone);
      const record = await phone.client.documents.getUser(uid);
      assert.ok(record);
      assert.deepEqual(
        [record.displayName, record.category, record.member],
        ['Ana Souza Lima', 'staff', true],
      );
      const users = await server.database.selectFrom('users').select('id').execute();
      assert.equal(users.length, 1);
    });

    it('stores no token of Google', async (t) => {
      const { server } = await startWithGoogle(t, kind);
      // The first sign-in creates the account, the second one updates it.
      for (const user of [server.visitor, visitorAt(server.url)]) {
        await goThroughGoogle(user);
        const accounts = await server.database.selectFrom('accounts').selectAll().execute();
        assert.equal(accounts.length, 1);
        for (const { accessToken, refreshToken, idToken } of accounts)
          assert.deepEqual([accessToken, refreshToken, idToken], [null, null, null]);
      }
    });

    it('keeps the name that the user has changed and the picture that the user has removed', async (t) => {
      const { server, sign } = await startWithGoogle(t, kind);
      sign(({ payload }) =>
        Object.assign(payload, claims, { picture: 'https://fotos.exemplo.com.br/a.png' }),
      );
      const { client } = server.visitor;
      await goThroughGoogle(server.visitor);
      const uid = (await client.auth.findSession())?.user.uid ?? '';
      const exported = async () => {
        const { user, nameFromGoogle, pictureFromGoogle } = await client.documents.exportAccount();
        return [user.displayName, user.profilePic !== false, nameFromGoogle, pictureFromGoogle];
      };
      assert.deepEqual(await exported(), [claims.name, true, true, true]);
      await client.documents.updateUser(uid, { displayName: 'Aninha' });
      await client.documents.updateUser(uid, { profilePic: false });
      await goThroughGoogle(visitorAt(server.url));
      assert.deepEqual(await exported(), ['Aninha', false, false, false]);
    });

    it('lets one IP address begin sixty sign-ins an hour, because each one inserts a row', async (t) => {
      const { server } = await startWithGoogle(t, kind);
      const begin = async () =>
        (await server.visitor.fetch(paths.auth.google, { redirect: 'manual' })).headers.get('location') ?? '';
      for (let count = 0; count < 60; count += 1) assert.match(await begin(), /^http/);
      for (let count = 0; count < 3; count += 1)
        assert.equal(await begin(), '/entrar-com-google?erro=falhou');
      const rows = await server.database.selectFrom('verifications').select('id').execute();
      assert.equal(rows.length, 60);
    });

    it('reports that the user cancelled', async (t) => {
      const { server } = await startWithGoogle(t, kind);
      const start = await server.visitor.fetch(paths.auth.google, { redirect: 'manual' });
      const state = new URL(start.headers.get('location') ?? '').searchParams.get('state');
      const way = `${paths.auth.googleCallback}?error=access_denied&state=${state}`;
      const finish = await server.visitor.fetch(way, { redirect: 'manual' });
      assert.equal(finish.headers.get('location'), '/entrar-com-google?erro=cancelado');
    });

    it('leads back to the account page when a confirmation cannot begin', async (t) => {
      const { server, provider } = await startWithGoogle(t, kind);
      await provider.stop();
      const start = await server.visitor.fetch(paths.auth.googleConfirm, { redirect: 'manual' });
      assert.equal(start.headers.get('location'), '/entrar-com-google?erro=falhou&para=conta');
    });

    it('leads to a page when the callback fails, because a browser opens it', async (t) => {
      const { server, provider } = await startWithGoogle(t, kind);
      await provider.stop();
      for (const query of ['code=a&state=b', 'code=a&code=b']) {
        const finish = await server.visitor.fetch(`${paths.auth.googleCallback}?${query}`, {
          redirect: 'manual',
        });
        assert.equal(finish.status, 303);
        assert.equal(finish.headers.get('location'), '/entrar-com-google?erro=falhou');
      }
    });

    it('reports that the provider is unreachable, and works once it is back', async (t) => {
      const { server, provider } = await startWithGoogle(t, kind);
      const { port } = provider.address() as AddressInfo;
      await provider.stop();
      const start = await server.visitor.fetch(paths.auth.google, { redirect: 'manual' });
      assert.equal(start.headers.get('location'), '/entrar-com-google?erro=falhou');
      await provider.start(port, '127.0.0.1');
      assert.equal((await goThroughGoogle(server.visitor)).landed, '/entrar-com-google');
    });
  });
}
