import { tryAttempts } from '../auth/rate-limits.ts';
import type { AppContext } from '../context.ts';
import { AppError } from '../http/errors.ts';
import type { Log } from '../http/log.ts';
import { reasonOf } from '../http/log.ts';
import type { Mail } from './render.ts';

export type MailKind =
  | 'verification'
  | 'existing-account'
  | 'password-reset'
  | 'newsletter'
  | 'warning'
  | 'invitation'
  | 'new-admin'
  | 'clinician'
  | 'account-change'
  | 'share-receipt'
  | 'reminder-test'
  | 'email-change'
  | 'email-change-notice'
  | 'email-changed';

/**
 * Mails that share a rate limit for all recipients together. Strangers can request mails to any address;
 * these must not use up the mails of users who have proved their addresses.
 */
type MailBudget =
  | 'unverified'
  | 'existing-account'
  | 'password-reset'
  | 'warning'
  | 'invitation'
  | 'account-change'
  | 'email-changed';

const budgets: Record<MailKind, MailBudget> = {
  verification: 'unverified',
  newsletter: 'unverified',
  'existing-account': 'existing-account',
  'password-reset': 'password-reset',
  warning: 'warning',
  invitation: 'invitation',
  'new-admin': 'warning',
  clinician: 'warning',
  'account-change': 'account-change',
  'share-receipt': 'account-change',
  'reminder-test': 'account-change',
  'email-change': 'unverified',
  'email-change-notice': 'account-change',
  // Not that of the notices, because without this mail no email address changes.
  'email-changed': 'email-changed',
};

export type LimitedMailer = {
  /**
   * Sends the mail.
   * @param budget by default that of the kind
   * @returns false, and sends nothing, when the recipient has reached the rate limit for mails of this kind,
   * or when the budget of this hour is used up
   * @throws AppError `server/unavailable` when the mail cannot be sent; the error contains no email address
   */
  send(kind: MailKind, mail: Mail, budget?: MailBudget): Promise<boolean>;
};

const limitedElsewhere: ReadonlySet<MailKind> = new Set([
  // The route separately counts the attempts from browsers that have signed in to the account before. So
  // strangers cannot use up the attempts of the account's owner in such a browser.
  'password-reset',
  // A proof, whose attempts are limited, precedes these mails. So the admins hear of every change.
  'clinician',
]);

/**
 * Limits how many mails of each kind an email address gets, so that no form of the site can fill a mailbox,
 * and how many mails leave in an hour, so that no form can ruin the reputation of the clinic's domain.
 */
export function createLimitedMailer(
  context: Pick<AppContext, 'database' | 'authSecret' | 'mailer'>,
  log: Log,
): LimitedMailer {
  return {
    async send(kind, mail, budget = budgets[kind]) {
      const recipient = `${kind} ${mailboxOf(mail.to.email)}`;
      const allowed =
        limitedElsewhere.has(kind) ||
        (await tryAttempts(context, ['mailByRecipient', recipient], ['mailByRecipientADay', recipient]));
      if (!allowed) {
        log.warn({ kind }, 'mail not sent: the recipient has reached the rate limit');
        return false;
      }
      if (!(await tryAttempts(context, ['mailsAnHour', budget]))) {
        context.mailer.noteWithheld();
        log.warn({ kind, budget }, 'mail not sent: the budget of this hour is used up');
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

/**
 * Returns the mailbox of an email address. With many providers, mail to `ana+anything@…` arrives in the
 * mailbox of `ana@…`. Gmail also ignores dots, and has two domains.
 */
export function mailboxOf(email: string): string {
  const mailbox = email.toLowerCase().replace(/\+[^@]*/, '');
  const [, name] = /^(.*)@(?:gmail|googlemail)\.com$/.exec(mailbox) ?? [];
  return name === undefined ? mailbox : `${name.replaceAll('.', '')}@gmail.com`;
}
