import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import type { Environment } from '../environment.ts';

export type Mail = { to: string; subject: string; text: string; html: string };

export type Mailer = {
  /** Hands the mail over; resolves once the mail server, or the disk, has it. */
  send(mail: Mail): Promise<void>;
};

/** Mail by SMTP; without a server, into the data folder's `outbox`, where a developer can open it. */
export function createMailer(environment: Pick<Environment, 'smtpUrl' | 'mailFrom' | 'dataDir'>): Mailer {
  const { smtpUrl, mailFrom, dataDir } = environment;
  return smtpUrl ? smtpMailer(smtpUrl, mailFrom) : outboxMailer(path.join(dataDir, 'outbox'), mailFrom);
}

function smtpMailer(smtpUrl: string, from: string): Mailer {
  const transport = createTransport(smtpUrl);
  return {
    send: async (mail) => {
      await transport.sendMail({ from, ...mail });
    },
  };
}

function outboxMailer(folder: string, from: string): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true });
  return {
    send: async (mail) => {
      const { message } = await transport.sendMail({ from, ...mail });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = path.join(folder, `${Date.now()}-${randomUUID()}.eml`);
      await writeFile(file, message as Buffer, { flag: 'wx', mode: 0o600 });
      const [link = ''] = /https?:\/\/\S+/.exec(mail.text) ?? [];
      console.log(`Sem SMTP_URL, o email "${mail.subject}" ficou em ${file} ${link}`);
    },
  };
}
