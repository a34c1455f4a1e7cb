import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { databaseKinds } from '#server/testing/databases.ts';
import { refusedWith } from '#server/testing/refused.ts';
import { startTestServer, type TestServer } from '#server/testing/server.ts';

for (const kind of databaseKinds) {
  describe(`password reset on ${kind}`, { concurrency: true }, () => {
    it('mails a reset link that works once, ends all sessions, and invalidates earlier links', async (t) => {
      const server = await startTestServer(t, kind);
      const user = await server.join();
      const { client } = server.visitor;
      await client.auth.requestPasswordReset(user.email);
      const [first = ''] = await resetTokens(server);
      await client.auth.requestPasswordReset(user.email);
      const second = (await resetTokens(server)).find((token) => token !== first) ?? '';
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
      assert.equal(await user.client.auth.findSession(), undefined);
      const old = client.auth.signIn({ email: user.email, password: user.password });
      await assert.rejects(old, refusedWith('auth/invalid-credentials'));
      await client.auth.signIn({ email: user.email, password });
    });

    it('refuses a reset link after ten minutes', async (t) => {
      const server = await startTestServer(t, kind);
      const { email } = await server.join();
      await server.visitor.client.auth.requestPasswordReset(email);
      const [token = ''] = await resetTokens(server);
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

    it('sends the same response for an unknown email address, and no mail', async (t) => {
      const server = await startTestServer(t, kind);
      await server.visitor.client.auth.requestPasswordReset('ninguem@exemplo.com.br');
      assert.deepEqual(await resetTokens(server), []);
    });
  });
}

/** Returns the tokens of the reset links in the outbox. */
async function resetTokens(server: TestServer): Promise<string[]> {
  const mails = await server.mails();
  return mails.flatMap(({ text = '' }) => /\/nova-senha#(\S+)/.exec(text)?.[1] ?? []);
}
