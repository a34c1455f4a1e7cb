import assert from 'node:assert/strict';
import { it } from 'node:test';
import { paths } from '#contract/paths.ts';
import { databaseKinds } from '../testing/databases.ts';
import { linkIn, startMailbox } from '../testing/mailbox.ts';
import { refusedWith } from '../testing/refused.ts';
import { publishedSite, startTestServer } from '../testing/server.ts';

for (const kind of databaseKinds) {
  it(`begins the first session by the mailed link only, on a published site, with ${kind}`, async (t) => {
    const mailbox = await startMailbox();
    t.after(() => mailbox.stop());
    const server = await startTestServer(t, kind, {
      environment: {
        ...publishedSite,
        SMTP_URL: mailbox.url,
      },
    });
    const { client, fetch } = server.visitor;
    const account = { displayName: 'Ana', email: 'ana@exemplo.com.br', password: 'senha12345' };
    await assert.rejects(client.auth.signUp(account), refusedWith('auth/email-not-verified'));
    assert.equal(await client.auth.findSession(), undefined);
    const link = new URL(linkIn(await mailbox.take(account.email)));
    await fetch(link.pathname + link.search, { redirect: 'manual' });
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
    const { from, to, subject, text = '', html = '' } = await mailbox.take('ana@exemplo.com.br');
    assert.equal(from?.address, 'contato@clinica.exemplo.com.br');
    assert.equal(to?.[0]?.address, 'ana@exemplo.com.br');
    assert.equal(subject, 'Confirme o seu e-mail · Clínica dos testes');
    assert.ok(!html.includes('<b>Lúcia'), 'a name cannot write HTML');
    assert.match(text, /^Olá\.$/m, 'nor text that a mail program turns into a link');
    assert.doesNotMatch(html, /<img|<script|<link/i);

    const verified = async () => (await server.visitor.client.auth.findSession())?.user.emailVerified;
    assert.equal(user.emailVerified, false);
    const link = /https:\/\/clinica\.exemplo\.com\.br(\/\S+)/.exec(text)?.[1] ?? '';
    assert.ok(link.startsWith(`${paths.auth.verifyEmail}?token=`));
    const forged = await server.visitor.fetch(link.replace(/token=[^&]{10}/, 'token=aaaaaaaaaa'), {
      redirect: 'manual',
    });
    assert.equal(forged.headers.get('location'), '/email-confirmado?erro=link');
    assert.equal(await verified(), false);
    const confirmed = await server.visitor.fetch(link, { redirect: 'manual' });
    assert.equal(confirmed.headers.get('location'), '/email-confirmado');
    assert.equal(await verified(), true);
  });
}
