import { randomBytes } from 'node:crypto';
import type { AppContext } from '../context.ts';
import type { LimitedMailer } from '../mail/limited-mailer.ts';
import { verificationLink, verifyEmailMail } from '../mail/messages.ts';
import { hashOfIdentifier } from './hashed-tokens.ts';

/** The part of Better Auth's database adapter that stores tokens. */
export type TokenStore = {
  createVerificationValue(row: { identifier: string; value: string; expiresAt: Date }): Promise<unknown>;
  consumeVerificationValue(identifier: string): Promise<{ value: string } | null>;
};

const linkMs = 24 * 60 * 60_000;
const purpose = 'verify-email:';

/**
 * Makes and checks the links that verify an email address. A link works only once, and only until a newer one
 * is mailed. Better Auth's own links have neither of these limits, because their tokens are signed and not
 * stored.
 */
export function createVerificationLinks(
  { database, environment }: AppContext,
  { mailer, store }: { mailer: LimitedMailer; store: Promise<TokenStore> },
) {
  return {
    /** @returns false when the email address has reached the rate limit of these mails */
    async mail(user: { id: string; name: string; email: string }): Promise<boolean> {
      const token = randomBytes(32).toString('base64url');
      const identifier = purpose + token;
      const { createVerificationValue } = await store;
      await createVerificationValue({
        identifier,
        value: user.id,
        expiresAt: new Date(Date.now() + linkMs),
      });
      let sent = false;
      try {
        sent = await mailer.send(
          'verification',
          verifyEmailMail(user, verificationLink(environment.publicUrl, token)),
        );
      } finally {
        // If the mail was sent, only its link stays valid; if not, only the earlier links do.
        const newest = hashOfIdentifier(identifier);
        await database
          .deleteFrom('verifications')
          .where('identifier', 'like', `${purpose}%`)
          .where('identifier', sent ? '!=' : '=', newest)
          .where('value', '=', user.id)
          .execute();
      }
      return sent;
    },

    /** Uses up a link. @returns the id of its user; `undefined` when the link is not valid */
    async take(token: string): Promise<string | undefined> {
      const { consumeVerificationValue } = await store;
      return (await consumeVerificationValue(purpose + token))?.value;
    },
  };
}
