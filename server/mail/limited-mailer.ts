import { tryAttempts } from '../auth/rate-limits.ts';
import type { AppContext } from '../context.ts';
import { AppError } from '../http/errors.ts';
import type { Log } from '../http/log.ts';
import { reasonOf } from '../http/log.ts';
import type { Mail } from './render.ts';

export type MailKind = 'verification' | 'existing-account' | 'password-reset' | 'newsletter';

export type LimitedMailer = {
  /**
   * Sends the mail.
   * @returns false, and sends nothing, when the recipient has reached the rate limit for mails of this kind
   * @throws AppError `server/unavailable` when the mail cannot be sent; the error contains no email address
   */
  send(kind: MailKind, mail: Mail): Promise<boolean>;
};

/**
 * The route of password resets limits these mails itself. It separately counts the attempts from browsers
 * that have signed in to the account before. So strangers cannot use up the attempts of the account's owner
 * in such a browser.
 */
const limitedElsewhere: MailKind = 'password-reset';

/**
 * Limits how many mails of each kind an email address gets, so that no form of the site can fill a mailbox.
 */
export function createLimitedMailer(
  context: Pick<AppContext, 'database' | 'authSecret' | 'mailer'>,
  log: Log,
): LimitedMailer {
  return {
    async send(kind, mail) {
      const recipient = `${kind} ${mailboxOf(mail.to.email)}`;
      const allowed =
        kind === limitedElsewhere ||
        (await tryAttempts(context, ['mailByRecipient', recipient], ['mailByRecipientADay', recipient]));
      if (!allowed) {
        log.warn({ kind }, 'mail not sent: the recipient has reached the rate limit');
        return false;
      }
      try {
        await context.mailer.send(mail);
        return true;
      } catch (error) {
        log.error({ kind, reason: reasonOf(error) }, 'mail not sent');
        throw new AppError('server/unavailable');
      }
    },
  };
}

/** With many providers, mail to `ana+anything@…` arrives in the mailbox of `ana@…`. */
export const mailboxOf = (email: string) => email.toLowerCase().replace(/\+[^@]*/, '');
