import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { paths } from '#contract/paths.ts';
import { cleanUp } from '../database/clean-up.ts';
import { databaseKinds } from '../testing/databases.ts';
import { mailsIn } from '../testing/peers/mailbox.ts';
import { refusedWith } from '../testing/refused.ts';
import { startTestServer } from '../testing/server.ts';

for (const kind of databaseKinds) {
  describe(`newsletter on ${kind}`, { concurrency: true }, () => {
    it('asks to confirm by mail, accepts the link, and unsubscribes by the link in every mail', async (t) => {
      const server = await startTestServer(t, kind);
      const { documents } = server.visitor.client;
      await documents.subscribeToNewsletter('Ana@Exemplo.com.br');
      const [mail] = await mailLinksIn(server.dataDir, 1);
      assert.equal(mail?.to, 'ana@exemplo.com.br');
      const { confirm = '', leave = '' } = mail ?? {};
      const admin = await server.join('admin');
      const csv = async () => (await admin.fetch(paths.documents.newsletterCsv)).text();
      const header = '"email","consentido_em","confirmado_em","link_para_sair"\r\n';
      assert.equal(await csv(), header);
      await documents.confirmNewsletter(confirm);
      await documents.confirmNewsletter(confirm);
      const table = await csv();
      assert.ok(table.startsWith(`${header}"ana@exemplo.com.br","20`));
      assert.ok(table.includes(leave), 'the sender of the newsletter has the link to unsubscribe');
      await documents.leaveNewsletter(leave);
      await documents.leaveNewsletter(leave);
      assert.deepEqual(await server.database.selectFrom('newsletterSubscribers').selectAll().execute(), []);
      await assert.rejects(documents.confirmNewsletter(confirm), refusedWith('auth/invalid-link'));
    });

    it('gives every email address the same response, and at most one mail in ten minutes', async (t) => {
      const server = await startTestServer(t, kind);
      const { visitor } = server;
      const ask = async () => {
        const response = await visitor.fetch(paths.documents.newsletter, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...(await visitor.appCheck()) },
          body: JSON.stringify({ email: 'ana@exemplo.com.br', consent: true }),
        });
        return { status: response.status, body: await response.text() };
      };
      const first = await ask();
      assert.deepEqual(first, { status: 202, body: '' });
      const [mail] = await mailLinksIn(server.dataDir, 1);
      assert.deepEqual(await ask(), first);
      await visitor.client.documents.confirmNewsletter(mail?.confirm ?? '');
      assert.deepEqual(await ask(), first);
      await visitor.client.documents.subscribeToNewsletter('outra@exemplo.com.br');
      assert.equal((await mailLinksIn(server.dataDir, 2)).length, 2);
    });

    it('refuses a link of another purpose and a changed link', async (t) => {
      const server = await startTestServer(t, kind);
      const { documents } = server.visitor.client;
      await documents.subscribeToNewsletter('ana@exemplo.com.br');
      const [mail] = await mailLinksIn(server.dataDir, 1);
      const { confirm = '', leave = '' } = mail ?? {};
      await assert.rejects(documents.confirmNewsletter(leave), refusedWith('auth/invalid-link'));
      await assert.rejects(documents.leaveNewsletter(confirm), refusedWith('auth/invalid-link'));
      await assert.rejects(documents.leaveNewsletter(`x${leave}`), refusedWith('auth/invalid-link'));
      const stored = await server.database
        .selectFrom('newsletterSubscribers')
        .select('confirmedAt')
        .execute();
      assert.deepEqual(
        stored.map(({ confirmedAt }) => confirmedAt),
        [null],
      );
    });

    it('requires the checked box', async (t) => {
      const { visitor } = await startTestServer(t, kind);
      for (const body of [
        { email: 'a@b.co' },
        { email: 'a@b.co', consent: false },
        { email: 'ana', consent: true },
      ]) {
        const response = await visitor.fetch(paths.documents.newsletter, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...(await visitor.appCheck()) },
          body: JSON.stringify(body),
        });
        assert.equal(response.status, 400);
      }
    });

    it('keeps an unconfirmed email address for two days only', async (t) => {
      const server = await startTestServer(t, kind);
      const { documents } = server.visitor.client;
      for (const email of ['ana@exemplo.com.br', 'bia@exemplo.com.br'])
        await documents.subscribeToNewsletter(email);
      const mails = await mailLinksIn(server.dataDir, 2);
      await documents.confirmNewsletter(mails.find(({ to }) => to?.startsWith('ana'))?.confirm ?? '');
      const left = async () =>
        (
          await server.database.selectFrom('newsletterSubscribers').select('email').orderBy('email').execute()
        ).map(({ email }) => email);
      const hours = (count: number) => Date.now() + count * 60 * 60_000;
      await cleanUp(server.database, kind, hours(47));
      assert.deepEqual(await left(), ['ana@exemplo.com.br', 'bia@exemplo.com.br']);
      await cleanUp(server.database, kind, hours(49));
      assert.deepEqual(await left(), ['ana@exemplo.com.br']);
    });

    it('exports no spreadsheet formula', async (t) => {
      const server = await startTestServer(t, kind);
      const row = { id: 'x', email: '=cmd"@exemplo.com.br', consentedAt: 0, confirmedAt: 0, mailedAt: 0 };
      await server.database.insertInto('newsletterSubscribers').values(row).execute();
      const { fetch } = await server.join('admin');
      assert.match(
        await (await fetch(paths.documents.newsletterCsv)).text(),
        /\r\n"'=cmd""@exemplo\.com\.br",/,
      );
    });
  });
}

/** Waits for `count` mails, because mails are sent after the response. Returns the links in them. */
async function mailLinksIn(dataDir: string, count: number) {
  for (;;) {
    const mails = await mailsIn(dataDir);
    if (mails.length >= count && mails.every(({ text }) => text))
      return mails.map(({ to, text = '' }) => ({
        to: to?.[0]?.address,
        confirm: /\/carta\/confirmar#(\S+)/.exec(text)?.[1],
        leave: /\/carta\/sair\/(\S+)/.exec(text)?.[1],
      }));
    await nextTurn();
  }
}
