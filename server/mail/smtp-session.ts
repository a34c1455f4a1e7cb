import { Readable } from 'node:stream';
import { smtpTimeouts } from './mailer.ts';

/** What happened to a mail. `reason` is what the mail server said, or the failure of the connection. */
export type SendOutcome =
  | { kind: 'sent' }
  /** The mail server refused the recipient's address for ever. */
  | { kind: 'address-refused' }
  /** The mail server asks to try later (a 4xx response). */
  | { kind: 'later'; reason: string }
  /** The mail server refused something else than the address, for example the sender. */
  | { kind: 'refused'; reason: string }
  | { kind: 'unreachable'; reason: string }
  /** The connection broke after the content had begun to leave, so the mail may have arrived. */
  | { kind: 'unsure' };

export type SmtpSession = {
  send(envelope: { from: string; to: string }, message: Buffer): Promise<SendOutcome>;
  close(): void;
};

/** The error of nodemailer. */
type SmtpError = Error & { code?: string; command?: string; responseCode?: number; response?: string };

const brokenConnection = new Set(['ECONNECTION', 'ESOCKET', 'ETIMEDOUT', 'ETLS', 'EPROTOCOL']);

/**
 * Connects to the mail server and signs in, to send several mails over one connection. After an outcome other
 * than `sent`, close the session and open another one.
 *
 * This uses nodemailer's SMTP connection, not its transports: they do not tell whether a connection broke
 * before or after the content, and the pool sends a mail again after such a break.
 * @returns the outcome if the session cannot be opened
 */
export async function openSmtpSession(smtpUrl: string): Promise<SmtpSession | SendOutcome> {
  const [{ default: SMTPConnection }, { parseConnectionUrl }] = await Promise.all([
    import('nodemailer/lib/smtp-connection'),
    import('nodemailer/lib/shared'),
  ]);
  const { auth, ...options } = parseConnectionUrl(smtpUrl);
  const connection = new SMTPConnection({ ...smtpTimeouts, ...options });
  let failure: SmtpError | undefined;
  const failed = new Promise<never>((_resolve, reject) => {
    // Without this listener, an error between two mails would end the process.
    connection.on('error', (error: SmtpError) => {
      failure = error;
      reject(error);
    });
  });
  failed.catch(() => {});
  const run = (start: (done: (error?: Error | null) => void) => void) =>
    Promise.race([
      failed,
      new Promise<void>((resolve, reject) => {
        start((error) => (error ? reject(error) : resolve()));
      }),
    ]);
  try {
    await run((done) => connection.connect(done));
    if (auth) await run((done) => connection.login(auth, done));
  } catch (error) {
    connection.close();
    return outcomeOf(error as SmtpError, false);
  }
  return {
    async send({ from, to }, message) {
      if (failure) return outcomeOf(failure, false);
      let hasBegun = false;
      // The stream is read only after the mail server has accepted sender and recipient.
      const content = Readable.from(
        (function* () {
          hasBegun = true;
          yield message;
        })(),
      );
      try {
        await run((done) => connection.send({ from, to: [to] }, content, done));
        return { kind: 'sent' };
      } catch (error) {
        return outcomeOf(error as SmtpError, hasBegun);
      }
    },
    close: () => connection.quit(),
  };
}

function outcomeOf(error: SmtpError, hasBegun: boolean): SendOutcome {
  const { code = '', command, responseCode = 0 } = error;
  const reason = (error.response ?? error.message).replace(/[\p{Cc}\s]+/gu, ' ').slice(0, 300);
  if (hasBegun && brokenConnection.has(code)) return { kind: 'unsure' };
  if (responseCode >= 400 && responseCode < 500) return { kind: 'later', reason };
  // nodemailer refuses an address that no SMTP command can contain.
  const isAddress = command === 'RCPT TO' || (command === 'API' && code === 'EENVELOPE');
  if (isAddress && (responseCode >= 500 || responseCode === 0)) return { kind: 'address-refused' };
  if (responseCode >= 500) return { kind: 'refused', reason };
  return hasBegun ? { kind: 'unsure' } : { kind: 'unreachable', reason };
}
