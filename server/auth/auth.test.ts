import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import PostalMime, { type Email } from 'postal-mime';
import { paths } from '#contract/paths.ts';
import { databaseKinds } from '../testing/databases.ts';
import { refusedWith } from '../testing/refused.ts';
import { startTestServer } from '../testing/server.ts';
import { createFirstAdminToken } from './first-admin.ts';

const json = { 'content-type': 'application/json' };

for (const kind of databaseKinds) {
  describe(`sign-in on ${kind}`, { concurrency: true }, () => {
    it('signs up, writes the user record of the specification, and signs in at once', async (t) => {
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

    it('signs in with the right password, whatever the case of the address', async (t) => {
      const server = await startTestServer(t, kind);
      const { email, password, uid } = await server.join();
      const { client } = server.visitor;
      assert.equal(await client.auth.findSession(), undefined);
      await client.auth.signIn({ email: email.toUpperCase(), password });
      assert.equal((await client.auth.findSession())?.user.uid, uid);
    });

    it('answers an unknown address and a wrong password alike', async (t) => {
      const server = await startTestServer(t, kind);
      const { email } = await server.join();
      const answers = await Promise.all(
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
      assert.equal(answers[0]?.status, 401);
      assert.deepEqual(answers[0], answers[1]);
    });

    it('refuses an address that has an account, and keeps the account as it was', async (t) => {
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

    it('stores nothing when sign-up names a field that is not the person’s to set', async (t) => {
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

    it('names the field and says the message of the specification for bad input', async (t) => {
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

    it('keeps the session token in an HttpOnly cookie and out of every body', async (t) => {
      const server = await startTestServer(t, kind);
      const { email, password } = await server.join();
      const response = await fetch(server.url + paths.auth.signIn, {
        method: 'POST',
        headers: { ...json, origin: server.origin },
        body: JSON.stringify({ email, password }),
      });
      const [cookie = ''] = response.headers.getSetCookie();
      assert.match(cookie, /^acolhe-session=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/);
      const stored = await server.database.selectFrom('sessions').select('token').execute();
      const session = await fetch(server.url + paths.auth.session, {
        headers: { cookie: cookie.split(';', 1)[0] ?? '' },
      });
      const bodies = (await response.text()) + (await session.text());
      for (const { token } of stored) assert.ok(!bodies.includes(token));
      assert.equal(response.headers.get('cache-control'), 'no-store');
    });

    it('uses a __Host- cookie that only travels by https on a published site', async (t) => {
      const environment = { PUBLIC_URL: 'https://clinica.exemplo.com.br' };
      const server = await startTestServer(t, kind, { environment });
      const response = await fetch(server.url + paths.auth.signUp, {
        method: 'POST',
        headers: { ...json, ...(await server.visitor.appCheck()), origin: server.origin },
        body: JSON.stringify({ displayName: 'Ana', email: 'ana@exemplo.com.br', password: 'senha12345' }),
      });
      assert.equal(response.status, 201);
      const [cookie = ''] = response.headers.getSetCookie();
      assert.match(
        cookie,
        /^__Host-acolhe-session=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      );
    });

    it('ends the session at sign-out: the old cookie opens nothing', async (t) => {
      const server = await startTestServer(t, kind);
      const { uid, email, password } = await server.join();
      const signIn = await fetch(server.url + paths.auth.signIn, {
        method: 'POST',
        headers: { ...json, origin: server.origin },
        body: JSON.stringify({ email, password }),
      });
      const cookie = signIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
      const record = () => fetch(server.url + paths.documents.user(uid), { headers: { cookie } });
      assert.equal((await record()).status, 200);
      const signOut = await fetch(server.url + paths.auth.signOut, {
        method: 'POST',
        headers: { cookie, origin: server.origin },
      });
      assert.equal(signOut.status, 204);
      assert.equal((await record()).status, 401);
      await server.visitor.client.auth.signOut();
    });

    it('refuses a forged or altered cookie', async (t) => {
      const server = await startTestServer(t, kind);
      const { uid } = await server.join();
      const { token } = await server.database
        .selectFrom('sessions')
        .select('token')
        .executeTakeFirstOrThrow();
      for (const value of [token, `${token}.c2lnbmF0dXJl`, '', 'a.b', '%00', '"']) {
        const headers = { cookie: `acolhe-session=${value}` };
        const response = await fetch(server.url + paths.documents.user(uid), { headers });
        assert.equal(response.status, 401, value);
      }
    });

    it('sends a reset link by mail that works once, ends all sessions, and outdates earlier links', async (t) => {
      const server = await startTestServer(t, kind);
      const person = await server.join();
      const { client } = server.visitor;
      await client.auth.requestPasswordReset(person.email);
      const [first = ''] = await resetTokens(server.dataDir);
      await client.auth.requestPasswordReset(person.email);
      const second = (await resetTokens(server.dataDir)).find((token) => token !== first) ?? '';
      const password = 'novasenha99';
      await assert.rejects(
        client.auth.resetPassword({ token: first, password }),
        refusedWith('auth/invalid-link'),
      );
      await client.auth.resetPassword({ token: second, password });
      await assert.rejects(
        client.auth.resetPassword({ token: second, password }),
        refusedWith('auth/invalid-link'),
      );
      assert.equal(await person.client.auth.findSession(), undefined);
      const old = client.auth.signIn({ email: person.email, password: person.password });
      await assert.rejects(old, refusedWith('auth/invalid-credentials'));
      await client.auth.signIn({ email: person.email, password });
    });

    it('refuses a reset link after ten minutes', async (t) => {
      const server = await startTestServer(t, kind);
      const { email } = await server.join();
      await server.visitor.client.auth.requestPasswordReset(email);
      const [token = ''] = await resetTokens(server.dataDir);
      const { expiresAt } =
        (
          await sql<{ expiresAt: string | Date }>`select ${sql.ref('expiresAt')} from verifications`.execute(
            server.database,
          )
        ).rows[0] ?? {};
      const minutes = (new Date(expiresAt ?? 0).getTime() - Date.now()) / 60_000;
      assert.ok(minutes > 9 && minutes <= 10);
      const past = new Date(Date.now() - 1_000);
      const time = kind === 'sqlite' ? past.toISOString() : past;
      await sql`update verifications set ${sql.ref('expiresAt')} = ${time}`.execute(server.database);
      const late = server.visitor.client.auth.resetPassword({ token, password: 'novasenha99' });
      await assert.rejects(late, refusedWith('auth/invalid-link'));
    });

    it('begins a new session at every sign-in and adopts no token that a browser brings along', async (t) => {
      const server = await startTestServer(t, kind);
      const { email, password } = await server.join();
      const planted = 'acolhe-session=plantado.assinatura';
      const tokens = new Set<string>();
      for (const cookie of [planted, planted, '']) {
        const response = await fetch(server.url + paths.auth.signIn, {
          method: 'POST',
          headers: { ...json, origin: server.origin, ...(cookie && { cookie }) },
          body: JSON.stringify({ email, password }),
        });
        tokens.add(response.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '');
      }
      assert.equal(tokens.size, 3);
      assert.ok(![...tokens].some((token) => token.includes('plantado')));
    });

    it('answers a reset request for an unknown address like any other, and mails nobody', async (t) => {
      const server = await startTestServer(t, kind);
      await server.visitor.client.auth.requestPasswordReset('ninguem@exemplo.com.br');
      assert.deepEqual(await resetTokens(server.dataDir), []);
    });

    it('answers alike for new and taken addresses where they must be verified, and lets in by the mailed link', async (t) => {
      const server = await startTestServer(t, kind, { environment: { REQUIRE_VERIFIED_EMAIL: 'true' } });
      const { client, fetch } = server.visitor;
      const signUp = { displayName: 'Ana', email: 'ana@exemplo.com.br', password: 'senha12345' };
      const answers = [];
      for (let index = 0; index < 2; index += 1) {
        const response = await fetch(paths.auth.signUp, {
          method: 'POST',
          headers: { ...json, ...(await server.visitor.appCheck()) },
          body: JSON.stringify(signUp),
        });
        const { code, message } = (await response.json()) as { code: string; message: string };
        answers.push({ status: response.status, code, message, cookies: response.headers.getSetCookie() });
      }
      assert.equal(answers[0]?.code, 'auth/email-not-verified');
      assert.deepEqual(answers[0], answers[1]);
      const subjects = (await mailsIn(server.dataDir)).map(({ subject }) => subject);
      assert.deepEqual(subjects.sort(), [
        'Confirme o seu email · Clínica dos testes',
        'Você já tem uma conta · Clínica dos testes',
      ]);

      const credentials = { email: signUp.email, password: signUp.password };
      await assert.rejects(client.auth.signIn(credentials), refusedWith('auth/email-not-verified'));
      const wrong = client.auth.signIn({ ...credentials, password: 'errada12345' });
      await assert.rejects(wrong, refusedWith('auth/invalid-credentials'));
      const texts = (await mailsIn(server.dataDir)).map(({ text = '' }) => text);
      const link =
        texts.flatMap((text) => /http:\/\/localhost:3000(\/\S+verify-email\S+)/.exec(text)?.[1] ?? [])[0] ??
        '';
      await fetch(link, { redirect: 'manual' });
      assert.equal((await client.auth.findSession())?.user.emailVerified, true);
    });

    it('ends a session thirty days after it began, however much it is used', async (t) => {
      const server = await startTestServer(t, kind);
      const { client } = await server.join();
      const began = new Date(Date.now() - 31 * 24 * 60 * 60_000);
      const time = kind === 'sqlite' ? began.toISOString() : began;
      await sql`update sessions set ${sql.ref('createdAt')} = ${time}`.execute(server.database);
      assert.equal(await client.auth.findSession(), undefined);
      assert.deepEqual(await server.database.selectFrom('sessions').select('id').execute(), []);
    });

    it('makes the first admin by a link that works once and only while there is no admin', async (t) => {
      const server = await startTestServer(t, kind);
      const [ana, bia] = [await server.join(), await server.join()];
      const outdated = await createFirstAdminToken(server.database);
      const token = await createFirstAdminToken(server.database);
      assert.ok(token && outdated);
      await assert.rejects(
        server.visitor.client.auth.becomeFirstAdmin(token),
        refusedWith('auth/unauthenticated'),
      );
      await assert.rejects(ana.client.auth.becomeFirstAdmin(outdated), refusedWith('auth/invalid-link'));
      const both = await Promise.allSettled(
        [ana, bia].map(({ client }) => client.auth.becomeFirstAdmin(token)),
      );
      assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
      const admins = await server.database
        .selectFrom('users')
        .select('id')
        .where('member', '=', 'admin')
        .execute();
      assert.equal(admins.length, 1);
      assert.equal(await createFirstAdminToken(server.database), undefined);
    });
  });
}

/** The tokens of the reset links in the outbox. */
async function resetTokens(dataDir: string): Promise<string[]> {
  const mails = await mailsIn(dataDir);
  return mails.flatMap(({ text = '' }) => /\/nova-senha\?token=(\S+)/.exec(text)?.[1] ?? []);
}

async function mailsIn(dataDir: string): Promise<Email[]> {
  const outbox = path.join(dataDir, 'outbox');
  const names = await readdir(outbox).catch((): string[] => []);
  const mails = await Promise.all(names.map((name) => readFile(path.join(outbox, name))));
  return Promise.all(mails.map((mail) => PostalMime.parse(mail)));
}
