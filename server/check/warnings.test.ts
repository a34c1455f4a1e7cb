import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readEnvironment } from '../environment.ts';
import { createMailer } from '../mail/mailer.ts';
import { databaseKinds } from '../testing/databases.ts';
import { linkIn, startMailbox } from '../testing/peers/mailbox.ts';
import { origin, startTestServer } from '../testing/server.ts';
import { warnAdmins } from './warnings.ts';

const full = { free: 1, total: 100 };
const empty = { free: 100, total: 100 };
const recipient = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kudd7ckasw7k5pt';
const log = { warn: () => {}, error: () => {} };

for (const kind of databaseKinds)
  describe(`a site whose backups and disk need attention, on ${kind}`, () => {
    it('mails each admin once a day about each of them, and says it on the dashboard', async (t) => {
      const mailbox = await startMailbox();
      t.after(() => mailbox.stop());
      const settings = { SMTP_URL: mailbox.url, BACKUP_DIR: '/b', BACKUP_RECIPIENT: recipient };
      const server = await startTestServer(t, kind, { environment: settings });
      const { database, authSecret, dataDir } = server;
      const environment = { ...readEnvironment({ PUBLIC_URL: origin, ...settings }), dataDir };
      const withMail = (smtpUrl: string | undefined) => {
        const own = { ...environment, smtpUrl };
        const mailer = createMailer(own, async () => 'Clínica');
        return { environment: own, database, databaseKind: kind, authSecret, mailer };
      };
      const bia = await server.join('admin', 'Bia');
      const admins = [bia, await server.join('admin', 'Caio')];
      await server.join('no', 'Davi');

      const nobody = await startMailbox({ refuses: true });
      t.after(() => nobody.stop());
      await warnAdmins(withMail(undefined), log, { space: full });
      await warnAdmins(withMail(nobody.url), log, { space: full });
      const context = withMail(mailbox.url);
      await warnAdmins(context, log, { space: empty });
      for (const { email } of admins) {
        const mail = await mailbox.take(email);
        assert.equal(mail.subject, 'Os backups do site precisam de cuidado · Clínica');
        assert.match(mail.text ?? '', /Ainda não há nenhum backup do site\./);
        assert.equal(linkIn(mail), `${origin}/admin`);
      }
      await warnAdmins(context, log, { space: full });
      for (const { email } of admins)
        assert.equal((await mailbox.take(email)).subject, 'O disco do site está quase cheio · Clínica');
      await warnAdmins(context, log, { space: full });
      const left = mailbox.left().map(({ subject }) => subject);
      assert.ok(!left.some((subject) => /backups|disco/.test(subject ?? '')), left.join());

      const { lines } = await bia.client.documents.getOperation();
      assert.deepEqual(lines[0], {
        subject: 'Backups',
        text: 'Ainda não há nenhum: rode npm run backup.',
        isWell: false,
      });
      assert.deepEqual(
        lines.map(({ subject }) => subject),
        ['Backups', 'Espaço no disco', 'Avisos por e-mail'],
      );
    });
  });
