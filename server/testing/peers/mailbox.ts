import { EventEmitter, once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A real SMTP server on the loopback interface that stores the mails it receives. */
export type Mailbox = {
  /** The value of `SMTP_URL`. */
  url: string;
  /** Removes and returns the newest mail to `address`; waits for one if there is none. */
  take(address: string): Promise<Email>;
  /** Returns the mails that were not taken, newest first. */
  left(): Email[];
  stop(): Promise<void>;
};

/**
 * Starts a mail server.
 * @param beforeResponse returns a promise that the server awaits before it confirms a mail
 * @param refuses if true, the server refuses every recipient. Its message contains the email address, as the
 * messages of mail servers do
 * @param answer returns the refusal of a step for a recipient; `cut` breaks the connection
 */
export async function startMailbox({
  beforeResponse = async () => {},
  refuses = false,
  answer = () => undefined,
}: {
  beforeResponse?: () => Promise<unknown>;
  refuses?: boolean;
  answer?: (step: 'sender' | 'recipient' | 'content', recipient: string) => number | 'cut' | undefined;
} = {}): Promise<Mailbox> {
  const mails: Email[] = [];
  const arrivals = new EventEmitter();
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom(_sender, _session, done) {
      done(refusalOf(answer('sender', '')));
    },
    onData(stream, { envelope, id }, done) {
      const result = answer('content', envelope.rcptTo[0]?.address ?? '');
      const keep = async () => {
        const mail = await PostalMime.parse(await buffer(stream));
        if (result === 'cut') {
          for (const connection of smtp.connections) if (connection.id === id) connection.close();
        } else if (result === undefined) {
          mails.unshift(mail);
          arrivals.emit('mail');
        }
      };
      keep()
        .then(beforeResponse)
        .then(() => done(refusalOf(result)), done);
    },
    onRcptTo({ address }, _session, done) {
      const refusal = refuses ? 550 : answer('recipient', address);
      done(refusalOf(refusal, `<${address}>: Recipient address rejected`));
    },
  });
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
    async take(address) {
      for (;;) {
        const index = mails.findIndex(({ to }) => to?.some((recipient) => recipient.address === address));
        const [mail] = index < 0 ? [] : mails.splice(index, 1);
        if (mail) return mail;
        await once(arrivals, 'mail', { signal: AbortSignal.timeout(15_000) });
      }
    },
    left: () => mails,
    stop: () => new Promise((resolve) => smtp.close(resolve)),
  };
}

function refusalOf(code: number | 'cut' | undefined, message = 'refused'): Error | undefined {
  return typeof code === 'number' ? Object.assign(new Error(message), { responseCode: code }) : undefined;
}

/** Returns the link of the mail's button. @throws Error if the plain text does not contain this link */
export function linkIn({ html = '', text = '' }: Email): string {
  const link = /<a[^>]* href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
  if (!link || !text.includes(link)) throw new Error(`The mail's two forms differ:\n${text}\n${html}`);
  return link;
}

/** Returns the token in the fragment of the mail's link. */
export const tokenIn = (mail: Email) => new URL(linkIn(mail)).hash.slice(1);

/** Reads the mails that a server without `SMTP_URL` wrote to its data folder, oldest first. */
export async function mailsIn(dataDir: string): Promise<Email[]> {
  const outbox = path.join(dataDir, 'outbox');
  const names = await readdir(outbox).catch((): string[] => []);
  // The names begin with the time in milliseconds. Within one millisecond, the order is arbitrary.
  const mails = await Promise.all(names.toSorted().map((name) => readFile(path.join(outbox, name))));
  return Promise.all(mails.map((mail) => PostalMime.parse(mail)));
}
