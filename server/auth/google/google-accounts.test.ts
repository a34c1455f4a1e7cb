import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { paths } from '#contract/paths.ts';
import { databaseKinds } from '#server/testing/databases.ts';
import { claims, goThroughGoogle, startWithGoogle } from '#server/testing/peers/google.ts';
import { refusedWith } from '#server/testing/refused.ts';
import { type TestServer, visitorAt } from '#server/testing/server.ts';

for (const kind of databaseKinds) {
  describe(`Google and existing accounts on ${kind}`, { concurrency: true }, () => {
    it('links nothing if neither this site nor Google has verified the email address', async (t) => {
      const { server, sign } = await startWithGoogle(t, kind);
      const owner = visitorAt(server.url);
      await owner.client.auth.signUp({ displayName: 'Ana', email: claims.email, password: 'senha12345' });
      sign(({ payload }) => Object.assign(payload, claims, { email_verified: false }));
      const { landed } = await goThroughGoogle(server.visitor);
      assert.equal(landed, '/entrar-com-google?erro=outra-conta');
      assert.equal(await server.visitor.client.auth.findSession(), undefined);
      sign(({ payload }) => Object.assign(payload, claims));
      await server.database.updateTable('users').set({ emailVerified: true }).execute();
      assert.equal((await goThroughGoogle(server.visitor)).landed, '/entrar-com-google');
      const session = await server.visitor.client.auth.findSession();
      assert.equal(session?.user.uid, (await owner.client.auth.findSession())?.user.uid);
    });

    it('keeps the name of a sign-up with a password when Google is linked later', async (t) => {
      const { server } = await startWithGoogle(t, kind);
      const owner = visitorAt(server.url);
      await owner.client.auth.signUp({ displayName: 'Aninha', email: claims.email, password: 'senha12345' });
      await server.database.updateTable('users').set({ emailVerified: true }).execute();
      assert.equal((await goThroughGoogle(server.visitor)).landed, '/entrar-com-google');
      const { user, nameFromGoogle } = await owner.client.documents.exportAccount();
      assert.deepEqual([user.displayName, nameFromGoogle], ['Aninha', false]);
    });

    it('accepts from Google only names and pictures that a form would accept', async (t) => {
      const { server, sign } = await startWithGoogle(t, kind);
      const { client } = server.visitor;
      const record = async (name: string, picture?: string) => {
        sign(({ payload }) => Object.assign(payload, claims, { name, picture }));
        assert.equal((await goThroughGoogle(server.visitor)).landed, '/entrar-com-google');
        const { displayName, profilePic } = (await client.documents.exportAccount()).user;
        return { displayName, profilePic };
      };
      for (const name of ['a'.repeat(480), 'Ana\0', '\u202eanA', '\ud800', '\u200b'])
        assert.deepEqual(await record(name, 'https://exemplo.com.br/api/x'), {
          displayName: 'ana',
          profilePic: false,
        });
      const { displayName } = await record(' Ana de Souza ');
      assert.equal(displayName, 'Ana de Souza');
      const picture = 'https://lh3.googleusercontent.com/a/b=s96-c';
      assert.deepEqual(await record('\0', picture), { displayName: 'Ana de Souza', profilePic: picture });
    });

    it('links nothing to an account with a second factor', async (t) => {
      const { server } = await startWithGoogle(t, kind);
      const owner = visitorAt(server.url);
      await owner.client.auth.signUp({ displayName: 'Ana', email: claims.email, password: 'senha12345' });
      await server.database
        .updateTable('users')
        .set({ emailVerified: true, twoFactorEnabled: true })
        .execute();
      const { landed } = await goThroughGoogle(server.visitor);
      assert.equal(landed, '/entrar-com-google?erro=segundo-fator');
      const accounts = await server.database.selectFrom('accounts').select('providerId').execute();
      assert.deepEqual(
        accounts.map(({ providerId }) => providerId),
        ['credential'],
      );
      const sessions = await server.database.selectFrom('sessions').select('id').execute();
      assert.equal(sessions.length, 1);
    });

    it('does not bypass the second factor of an account', async (t) => {
      const { server } = await startWithGoogle(t, kind);
      await goThroughGoogle(server.visitor);
      const { client } = server.visitor;
      const uid = (await client.auth.findSession())?.user.uid ?? '';
      await server.database
        .updateTable('users')
        .set({ twoFactorEnabled: true })
        .where('id', '=', uid)
        .execute();
      const phone = visitorAt(server.url);
      assert.equal((await goThroughGoogle(phone)).landed, '/entrar-com-google?erro=segundo-fator');
      assert.equal(await phone.client.auth.findSession(), undefined);
      const sessions = await server.database.selectFrom('sessions').select('id').execute();
      assert.equal(sessions.length, 1);
    });

    it('confirms a session only by the same user of Google', async (t) => {
      const { server, sign } = await startWithGoogle(t, kind);
      const { client } = server.visitor;
      await goThroughGoogle(server.visitor);
      await makeOld(server);
      const before = await client.auth.findSession();
      sign(({ payload }) => Object.assign(payload, claims, { sub: 'google-2', email: 'bia@exemplo.com.br' }));
      const { landed } = await goThroughGoogle(server.visitor, paths.auth.googleConfirm);
      assert.equal(landed, '/entrar-com-google?erro=outra-pessoa&para=conta');
      assert.deepEqual(await client.auth.findSession(), before);
      const users = await server.database.selectFrom('users').select('email').execute();
      assert.deepEqual(
        users.map(({ email }) => email),
        [claims.email],
      );
      await assert.rejects(client.auth.deleteAccount({}), refusedWith('auth/sign-in-again'));
    });

    it('lets a user without a password delete the account after a recent sign-in', async (t) => {
      const { server } = await startWithGoogle(t, kind);
      const { client } = server.visitor;
      await goThroughGoogle(server.visitor);
      await makeOld(server);
      await assert.rejects(client.auth.deleteAccount({}), refusedWith('auth/sign-in-again'));
      const { landed } = await goThroughGoogle(server.visitor, paths.auth.googleConfirm);
      assert.equal(landed, '/entrar-com-google?para=conta');
      const sessions = await server.database.selectFrom('sessions').select('id').execute();
      assert.equal(sessions.length, 1, 'the confirmed session replaces the old one');
      await client.auth.deleteAccount({});
      assert.deepEqual(await server.database.selectFrom('users').select('id').execute(), []);
      assert.equal(await client.auth.findSession(), undefined);
    });

    it('requires the password to delete an account that has one, even after a recent sign-in', async (t) => {
      const { server } = await startWithGoogle(t, kind);
      const ana = await server.join();
      await assert.rejects(ana.client.auth.deleteAccount({}), refusedWith('request/invalid'));
      assert.ok(await ana.client.auth.findSession());
    });
  });
}

/** Changes the start of all sessions to an hour ago. */
async function makeOld({ database, kind }: TestServer) {
  const began = new Date(Date.now() - 60 * 60_000);
  const time = kind === 'sqlite' ? began.toISOString() : began;
  await sql`update sessions set ${sql.ref('createdAt')} = ${time}`.execute(database);
}
