import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { createTransport } from 'nodemailer';
import { type Environment, isLocalhost } from '../environment.ts';
import { lazily } from '../lazily.ts';
import type { Mail } from './mail.ts';
import { type MailSignature, renderMail } from './render.ts';

export type Mailer = {
  /** Sends the mail; resolves once the mail server, or the disk, has it. */
  send(mail: Mail): Promise<void>;
};

/** Sends mail by SMTP; without `smtpUrl` it writes mail to the data folder's `outbox`, for developers. */
export function createMailer(
  environment: Pick<Environment, 'smtpUrl' | 'mailFrom' | 'dataDir' | 'publicUrl'>,
  clinicName: string,
): Mailer {
  const { smtpUrl, mailFrom, dataDir, publicUrl } = environment;
  const signature = { clinicName, publicUrl };
  // With only an email address, mail programs would show no sender's name.
  const from = mailFrom.includes('<') ? mailFrom : { name: clinicName, address: mailFrom };
  return smtpUrl
    ? smtpMailer(smtpUrl, from, signature)
    : outboxMailer(
        { folder: path.join(dataDir, 'outbox'), logLinks: isLocalhost(publicUrl) },
        from,
        signature,
      );
}

type Sender = string | { name: string; address: string };

/** Loads nodemailer at the first mail, not when the server starts. */
const loadTransports = async (): Promise<typeof createTransport> =>
  (await import('nodemailer')).createTransport;

/** A mail server that does not respond must not delay the next mails. */
const smtpTimeouts = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
};

function smtpMailer(smtpUrl: string, from: Sender, signature: MailSignature): Mailer {
  const open = lazily(async () => (await loadTransports())({ url: smtpUrl, ...smtpTimeouts }));
  return {
    send: async (mail) => {
      const transport = await open();
      await transport.sendMail({ from, ...renderMail(mail, signature) });
    },
  };
}

/** @param logLinks true to log the link of each mail: on a published site a link in the log is a leak */
function outboxMailer(
  { folder, logLinks }: { folder: string; logLinks: boolean },
  from: Sender,
  signature: MailSignature,
): Mailer {
  const open = lazily(async () => (await loadTransports())({ streamTransport: true, buffer: true }));
  return {
    send: async (mail) => {
      const transport = await open();
      const { message } = await transport.sendMail({ from, ...renderMail(mail, signature) });
      // Not recursive: it must not create a deleted data folder again, without its database.
      await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
      const file = path.join(folder, `${Date.now()}-${randomUUID()}.eml`);
      await writeFile(file, message as Buffer, { flag: 'wx', mode: 0o600 });
      const link = logLinks ? ` ${mail.link}` : '';
      console.log(`Sem SMTP_URL, o e-mail "${mail.subject}" ficou em ${file}${link}`);
    },
  };
}
