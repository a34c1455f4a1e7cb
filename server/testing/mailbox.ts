import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A real mail server on loopback that keeps what it is given. */
export type Mailbox = {
  /** For `SMTP_URL`. */
  url: string;
  /** The newest mail to `address` that nobody has taken yet; waits for one. */
  take(address: string): Promise<Email>;
  stop(): Promise<void>;
};

/**
 * @param beforeAnswer what the mail server waits for until it says that it has a mail
 * @param refuses whether it takes no recipient, naming the address as mail servers do
 */
export async function startMailbox({
  beforeAnswer = async () => {},
  refuses = false,
}: {
  beforeAnswer?: () => Promise<unknown>;
  refuses?: boolean;
} = {}): Promise<Mailbox> {
  const mails: Email[] = [];
  const arrivals = new EventEmitter();
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      const keep = async () => {
        mails.unshift(await PostalMime.parse(await buffer(stream)));
        arrivals.emit('mail');
      };
      keep()
        .then(beforeAnswer)
        .then(() => done(), done);
    },
    onRcptTo({ address }, _session, done) {
      done(refuses ? new Error(`<${address}>: Recipient address rejected`) : undefined);
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
    stop: () => new Promise((resolve) => smtp.close(resolve)),
  };
}

/** Where the mail's one button leads; the plain text must say the same. */
export function linkIn({ html = '', text = '' }: Email): string {
  const link = /<a[^>]* href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
  if (!link || !text.includes(link)) throw new Error(`The mail's two forms differ:\n${text}\n${html}`);
  return link;
}
