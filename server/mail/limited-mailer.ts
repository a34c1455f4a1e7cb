import { tryAttempts } from '../auth/rate-limits.ts';
import type { AppContext } from '../context.ts';
import { reasonOf } from '../http/after-answer.ts';
import { AppError } from '../http/errors.ts';
import type { Log } from '../http/log.ts';
import type { Mail } from './mail.ts';

export type MailKind = 'verification' | 'existing-account' | 'password-reset' | 'newsletter';

export type LimitedMailer = {
  /**
   * Sends the mail.
   * @returns false, and sends nothing, when the recipient has had too many of this kind
   * @throws AppError `server/unavailable` when the mail server does not take it; the error names no address
   */
  send(kind: MailKind, mail: Mail): Promise<boolean>;
};

/** Reset mails are limited where they are asked for, so that strangers cannot keep an owner's own browser from one. */
const limitedElsewhere: MailKind = 'password-reset';

/** Sends a few mails of each kind to each address, so that no form can fill a person's mailbox. */
export function createLimitedMailer(
  { database, mailer }: Pick<AppContext, 'database' | 'mailer'>,
  log: Log,
): LimitedMailer {
  return {
    async send(kind, mail) {
      const recipient = `${kind} ${mailboxOf(mail.to.email)}`;
      const allowed =
        kind === limitedElsewhere ||
        (await tryAttempts(database, ['mailByRecipient', recipient], ['mailByRecipientADay', recipient]));
      if (!allowed) {
        log.warn({ kind }, 'mail not sent: the recipient has had too many');
        return false;
      }
      try {
        await mailer.send(mail);
        return true;
      } catch (error) {
        log.error({ kind, reason: reasonOf(error) }, 'mail not sent');
        throw new AppError('server/unavailable');
      }
    },
  };
}

/** `ana+anything@…` leads to the mailbox of `ana@…`. */
const mailboxOf = (email: string) => email.toLowerCase().replace(/\+[^@]*/, '');
