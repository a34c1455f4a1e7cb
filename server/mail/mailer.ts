import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { createTransport, SendMailOptions } from 'nodemailer';
import { lazily } from '../concurrency.ts';
import { type Environment, isLocalhost } from '../environment.ts';
import { type Mail, renderMail } from './render.ts';

export type Mailer = {
  /** Sends the mail; resolves once the mail server has accepted it, or it is in a file. */
  send(mail: Mail): Promise<void>;
  /** Renders the mail, for `SmtpSession`. */
  compose(mail: Mail): Promise<{ from: string; message: Buffer }>;
  /** The number of mails since the start that could not be sent. */
  failures(): number;
  /** Counts a mail that was not sent, because the budget of its hour was used up. */
  noteWithheld(): void;
  /** The number of these mails since the start. */
  withheld(): number;
};

/**
 * Sends mail by SMTP; without `smtpUrl` it writes mail to the data folder's `outbox`, for developers.
 * @param clinicName returns the clinic's current name; called for each mail
 */
export function createMailer(
  environment: Pick<Environment, 'smtpUrl' | 'mailFrom' | 'reminderFromName' | 'dataDir' | 'publicUrl'>,
  clinicName: () => Promise<string>,
): Mailer {
  const { smtpUrl, mailFrom, dataDir, publicUrl } = environment;
  const neutral = neutralSender(environment);
  const write = async (mail: Mail) => {
    const name = mail.neutral ? neutral.name : await clinicName();
    return {
      from: mail.neutral ? neutral : senderOf(mailFrom, name),
      headers: { ...autoSubmitted, ...(mail.leaveLink !== undefined && oneClick(mail.leaveLink)) },
      ...renderMail(mail, { clinicName: name, publicUrl }),
    };
  };
  const send = smtpUrl
    ? smtpSender(smtpUrl, write)
    : outboxSender({ dataDir, logLinks: isLocalhost(publicUrl) }, write);
  let failures = 0;
  let withheld = 0;
  return {
    send: (mail) =>
      send(mail).catch((error: unknown) => {
        failures += 1;
        throw error;
      }),
    async compose(mail) {
      const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
      const composed = new MailComposer(await write(mail)).compile();
      return { from: String(composed.getEnvelope().from), message: await composed.build() };
    },
    failures: () => failures,
    noteWithheld: () => {
      withheld += 1;
    },
    withheld: () => withheld,
  };
}

/**
 * Returns the sender. If `mailFrom` is only an email address, mail programs would show no name, so this adds
 * the clinic's.
 */
export const senderOf = (mailFrom: string, name: string) =>
  mailFrom.includes('<') ? mailFrom : { name, address: mailFrom };

/** The sender of mails that do not say what the site is about. */
export const neutralSender = ({
  mailFrom,
  reminderFromName,
}: Pick<Environment, 'mailFrom' | 'reminderFromName'>) => ({
  name: reminderFromName,
  address: /<([^<>]+)>/.exec(mailFrom)?.[1] ?? mailFrom,
});

/** RFC 3834: programs do not answer such a mail, for example with an absence notice. */
export const autoSubmitted = { 'auto-submitted': 'auto-generated' };

/** RFC 8058: mail programs show a button that opens `link` with one click. */
export const oneClick = (link: string) => ({
  'list-unsubscribe': `<${link}>`,
  'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
});

/** Renders a mail in the form that nodemailer's `sendMail` takes. */
type Write = (mail: Mail) => Promise<SendMailOptions>;

/** Loads nodemailer at the first mail, not when the server starts. */
const loadTransports = async (): Promise<typeof createTransport> =>
  (await import('nodemailer')).createTransport;

/** Time limits, so that a mail server that does not respond does not delay the next mails for long. */
export const smtpTimeouts = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
};
const checkTimeouts = {
  dnsTimeout: 5_000,
  connectionTimeout: 5_000,
  greetingTimeout: 5_000,
  socketTimeout: 5_000,
};

/**
 * Connects to the mail server and signs in, without sending a mail.
 * @throws Error of nodemailer when this is impossible within a few seconds
 */
export async function requireMailServer(smtpUrl: string): Promise<void> {
  const transport = (await loadTransports())({ url: smtpUrl, ...checkTimeouts });
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

function smtpSender(smtpUrl: string, write: Write): Mailer['send'] {
  const open = lazily(async () => (await loadTransports())({ url: smtpUrl, ...smtpTimeouts }));
  return async (mail) => {
    const transport = await open();
    await transport.sendMail(await write(mail));
  };
}

/**
 * @param logLinks true to log the link of each mail; false on a published site, whose log must not contain
 * links
 */
function outboxSender(
  { dataDir, logLinks }: { dataDir: string; logLinks: boolean },
  write: Write,
): Mailer['send'] {
  const open = lazily(async () => (await loadTransports())({ streamTransport: true, buffer: true }));
  return async (mail) => {
    const transport = await open();
    const { message } = await transport.sendMail(await write(mail));
    const file = await writeToOutbox(dataDir, message as Buffer);
    const link = logLinks && !mail.secret ? ` ${mail.link}` : '';
    console.log(`Sem SMTP_URL, o e-mail "${mail.subject}" ficou em ${file}${link}`);
  };
}

/** Writes a mail into the folder `outbox` of the data folder. @returns the file */
export async function writeToOutbox(dataDir: string, message: Buffer): Promise<string> {
  const folder = path.join(dataDir, 'outbox');
  // Not `recursive`: if the data folder was deleted, this must not create it again without its database.
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const file = path.join(folder, `${Date.now()}-${randomUUID()}.eml`);
  await writeFile(file, message, { flag: 'wx', mode: 0o600 });
  return file;
}
