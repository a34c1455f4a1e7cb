import assert from 'node:assert/strict';
import { it } from 'node:test';
import { databaseKinds } from '../testing/databases.ts';
import { startMailbox, tokenIn } from '../testing/peers/mailbox.ts';
import { refusedWith } from '../testing/refused.ts';
import { publishedSite, startTestServer } from '../testing/server.ts';

for (const kind of databaseKinds) {
  it(`begins the first session only through the mailed link, on a published site, with ${kind}`, async (t) => {
    const mailbox = await startMailbox();
    t.after(() => mailbox.stop());
    const server = await startTestServer(t, kind, {
      environment: {
        ...publishedSite,
        SMTP_URL: mailbox.url,
      },
    });
    const { client } = server.visitor;
    const account = { displayName: 'Ana', email: 'ana@exemplo.com.br', password: 'senha12345' };
    await assert.rejects(client.auth.signUp(account), refusedWith('auth/email-not-verified'));
    assert.equal(await client.auth.findSession(), undefined);
    await client.auth.verifyEmail({ token: tokenIn(await mailbox.take(account.email)) });
    assert.equal((await client.auth.findSession())?.user.emailVerified, true);
  });

  it(`asks new accounts of a published site to verify their email address, on ${kind}`, async (t) => {
    const mailbox = await startMailbox();
    t.after(() => mailbox.stop());
    const server = await startTestServer(t, kind, {
      environment: {
        ...publishedSite,
        REQUIRE_VERIFIED_EMAIL: 'false',
        SMTP_URL: mailbox.url,
        MAIL_FROM: 'Clínica <contato@clinica.exemplo.com.br>',
      },
    });
    const { user } = await server.visitor.client.auth.signUp({
      displayName: 'Ana <b>Lúcia</b>',
      email: 'ana@exemplo.com.br',
      password: 'senha12345',
    });
    const { from, to, subject, headers, text = '', html = '' } = await mailbox.take('ana@exemplo.com.br');
    assert.equal(from?.address, 'contato@clinica.exemplo.com.br');
    assert.equal(to?.[0]?.address, 'ana@exemplo.com.br');
    const automatic = headers.find(({ key }) => key === 'auto-submitted');
    assert.equal(automatic?.value, 'auto-generated', 'automatic replies must not answer this mail');
    assert.equal(subject, 'Confirme o seu e-mail · Nome Sobrenome');
    assert.ok(!html.includes('<b>Lúcia'), 'a name cannot write HTML');
    assert.match(text, /^Olá\.$/m, 'nor text that a mail program turns into a link');
    assert.doesNotMatch(html, /<img|<script|<link/i);

    const { client } = server.visitor;
    const verified = async () => (await client.auth.findSession())?.user.emailVerified;
    assert.equal(user.emailVerified, false);
    const [, token = ''] = /https:\/\/clinica\.exemplo\.com\.br\/email-confirmado#(\S+)/.exec(text) ?? [];
    await assert.rejects(client.auth.verifyEmail({ token: `x${token}` }), refusedWith('auth/invalid-link'));
    assert.equal(await verified(), false);
    await client.auth.verifyEmail({ token });
    assert.equal(await verified(), true);
  });
}
