import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { it } from 'node:test';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { paths } from '#contract/paths.ts';
import { startTestServer } from '../testing/server.ts';

it('asks a new account of a published site to verify its address, by a real SMTP server, and believes the link once clicked', async (t) => {
  const mails = new EventTarget() as EventTarget & { newest?: Email };
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      const keep = async () => {
        mails.newest = await PostalMime.parse(await buffer(stream));
        mails.dispatchEvent(new Event('mail'));
      };
      keep().then(() => done(), done);
    },
  });
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  t.after(() => new Promise<void>((resolve) => smtp.close(resolve)));
  const { port } = smtp.server.address() as AddressInfo;

  const server = await startTestServer(t, 'sqlite', {
    environment: {
      PUBLIC_URL: 'https://clinica.exemplo.com.br',
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: 'Clínica <contato@clinica.exemplo.com.br>',
    },
  });
  const arrived = once(mails, 'mail');
  const { user } = await server.visitor.client.auth.signUp({
    displayName: 'Ana <b>Lúcia</b>',
    email: 'ana@exemplo.com.br',
    password: 'senha12345',
  });
  await arrived;
  const { from, to, subject, text = '', html = '' } = mails.newest ?? {};
  assert.equal(from?.address, 'contato@clinica.exemplo.com.br');
  assert.equal(to?.[0]?.address, 'ana@exemplo.com.br');
  assert.equal(subject, 'Confirme o seu email');
  assert.ok(!html.includes('<b>Lúcia'), 'a name cannot write HTML');
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
