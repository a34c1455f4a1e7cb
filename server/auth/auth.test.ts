import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { paths } from '#contract/paths.ts';
import { databaseKinds } from '../testing/databases.ts';
import { tokenIn } from '../testing/peers/mailbox.ts';
import { refusedWith } from '../testing/refused.ts';
import { startTestServer, visitorAt } from '../testing/server.ts';

const json = { 'content-type': 'application/json' };

for (const kind of databaseKinds) {
  describe(`sign-in on ${kind}`, { concurrency: true }, () => {
    it('signs up, writes the user record of the specification, and begins a session', async (t) => {
      const server = await startTestServer(t, kind);
      const { client } = server.visitor;
      const signedUp = await client.auth.signUp({
        displayName: '  Conceição Évora ',
        email: 'Conceicao@Exemplo.com.br',
        password: 'SenhaCom8',
      });
      const session = await client.auth.findSession();
      assert.deepEqual(session, signedUp);
      assert.deepEqual(await client.documents.getUser(signedUp.user.uid), {
        id: signedUp.user.uid,
        displayName: 'Conceição Évora',
        email: 'conceicao@exemplo.com.br',
        research: false,
        member: false,
        staff: false,
        profilePic: false,
      });
    });

    it('signs in with the right password and ignores the case of the email address', async (t) => {
      const server = await startTestServer(t, kind);
      const { email, password, uid } = await server.join();
      const { client } = server.visitor;
      assert.equal(await client.auth.findSession(), undefined);
      await client.auth.signIn({ email: email.toUpperCase(), password });
      assert.equal((await client.auth.findSession())?.user.uid, uid);
    });

    it('gives the same response for an unknown email address and a wrong password', async (t) => {
      const server = await startTestServer(t, kind);
      const { email } = await server.join();
      const responses = await Promise.all(
        [email, 'ninguem@exemplo.com.br'].map(async (address) => {
          const response = await server.visitor.fetch(paths.auth.signIn, {
            method: 'POST',
            headers: json,
            body: JSON.stringify({ email: address, password: 'outrasenha1' }),
          });
          const { requestId, ...body } = (await response.json()) as Record<string, unknown>;
          assert.ok(requestId);
          return { status: response.status, body };
        }),
      );
      assert.equal(responses[0]?.status, 401);
      assert.deepEqual(responses[0], responses[1]);
    });

    it('refuses an email address that has an account, and does not change the account', async (t) => {
      const server = await startTestServer(t, kind);
      const { email, password } = await server.join();
      const again = server.visitor.client.auth.signUp({
        displayName: 'Outra',
        email,
        password: 'outrasenha1',
      });
      await assert.rejects(again, refusedWith('auth/email-taken'));
      await server.visitor.client.auth.signIn({ email, password });
    });

    it('stores nothing when the sign-up names a field that the user may not set', async (t) => {
      const server = await startTestServer(t, kind);
      for (const field of [
        'member',
        'staff',
        'research',
        'role',
        'emailVerified',
        'category',
        'id',
        'searchKey',
      ]) {
        const response = await server.visitor.fetch(paths.auth.signUp, {
          method: 'POST',
          headers: { ...json, ...(await server.visitor.appCheck()) },
          body: JSON.stringify({
            displayName: 'Eva',
            email: 'eva@exemplo.com.br',
            password: 'senha12345',
            [field]: 'admin',
          }),
        });
        assert.equal(response.status, 400, field);
      }
      assert.deepEqual(await server.database.selectFrom('users').select('id').execute(), []);
    });

    it('names the field and gives the message of the specification for bad input', async (t) => {
      const server = await startTestServer(t, kind);
      const cases = [
        {
          input: { email: 'a@b.co', password: 'senha12345' },
          path: 'displayName',
          message: 'You need a first name',
        },
        { input: { displayName: 'Ana', password: 'senha12345' }, path: 'email', message: 'You need a email' },
        { input: { displayName: 'Ana', email: 'a@b.co' }, path: 'password', message: 'You need a password' },
        {
          input: { displayName: 'Ana', email: 'sem arroba', password: 'senha12345' },
          path: 'email',
          message: 'Preencha um email válido.',
        },
        {
          input: { displayName: 'Ana', email: 'a@b.co', password: 'curta12' },
          path: 'password',
          message: 'A senha precisa ter pelo menos 8 caracteres.',
        },
        {
          input: { displayName: 'Ana', email: 'a@b.co', password: 'com espaço' },
          path: 'password',
          message: 'A senha pode ter apenas letras e números.',
        },
      ];
      for (const { input, path, message } of cases) {
        const response = await server.visitor.fetch(paths.auth.signUp, {
          method: 'POST',
          headers: { ...json, ...(await server.visitor.appCheck()) },
          body: JSON.stringify(input),
        });
        const body = (await response.json()) as { code: string; issues: unknown };
        assert.equal(response.status, 400);
        assert.equal(body.code, 'request/invalid');
        assert.deepEqual(body.issues, [{ path, message }]);
      }
    });

    it('gives the same response for new and taken email addresses when they must be verified', async (t) => {
      const server = await startTestServer(t, kind, { environment: { REQUIRE_VERIFIED_EMAIL: 'true' } });
      const signUp = { displayName: 'Ana', email: 'ana@exemplo.com.br', password: 'senha12345' };
      const send = async () => {
        const { fetch, appCheck } = visitorAt(server.url);
        const response = await fetch(paths.auth.signUp, {
          method: 'POST',
          headers: { ...json, ...(await appCheck()) },
          body: JSON.stringify(signUp),
        });
        const { code, message } = (await response.json()) as { code: string; message: string };
        const cookies = response.headers.getSetCookie().map((line) => line.replace(/=[^;]+/, '=…'));
        return { status: response.status, code, message, cookies };
      };
      const first = await send();
      const [mail] = await server.mails();
      const { client } = visitorAt(server.url);
      await client.auth.verifyEmail({
        token: tokenIn(mail ?? assert.fail('no mail')),
        password: 'senha12345',
      });
      assert.deepEqual(await send(), first);
      assert.equal(first.code, 'auth/email-not-verified');
      const subjects = (await server.mails()).map(({ subject }) => subject);
      assert.deepEqual(subjects.sort(), [
        'Confirme o seu e-mail · Nome Sobrenome',
        'Você já tem uma conta · Nome Sobrenome',
      ]);
    });

    it('mails another link after the right password of an account that is not verified', async (t) => {
      const server = await startTestServer(t, kind, { environment: { REQUIRE_VERIFIED_EMAIL: 'true' } });
      const signUp = { displayName: 'Ana', email: 'ana@exemplo.com.br', password: 'senha12345' };
      const { client } = server.visitor;
      await assert.rejects(client.auth.signUp(signUp));
      const [mail] = await server.mails();
      await client.auth.verifyEmail({ token: tokenIn(mail ?? assert.fail('no mail')) });
      await client.auth.signOut();
      // The account is like one from before the site required verified email addresses.
      await server.database.updateTable('users').set({ emailVerified: false }).execute();
      const { email, password } = signUp;
      const wrong = client.auth.signIn({ email, password: 'errada12345' });
      await assert.rejects(wrong, refusedWith('auth/invalid-credentials'));
      await assert.rejects(client.auth.signIn({ email, password }), refusedWith('auth/email-not-verified'));
      const another = (await server.mails()).find(({ messageId }) => messageId !== mail?.messageId);
      assert.match(mail?.text ?? '', /Recebemos um cadastro/);
      assert.match(another?.text ?? '', /Se ela é de antes do site novo, nós a trouxemos para cá/);
      await client.auth.verifyEmail({ token: tokenIn(another ?? assert.fail('no mail')) });
      assert.equal((await client.auth.findSession())?.user.emailVerified, true);
    });
  });
}
