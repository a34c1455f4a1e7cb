import * as z from 'zod/mini';
import { displayName, email, newPassword } from '../credentials.ts';
import { limits } from '../limits.ts';
import { plainLine } from '../text.ts';
import { member } from '../user.ts';

/** What an admin enters to invite a person. */
export const invitationInput = z.strictObject({
  email,
  member,
  /** A sentence for the mail. */
  note: z._default(
    z
      .string()
      .check(
        z.trim(),
        z.maxLength(limits.titleMaxLength, 'A frase pode ter no máximo 200 caracteres.'),
        plainLine,
      ),
    '',
  ),
});
export type InvitationInput = z.input<typeof invitationInput>;

/** An open invitation. Times are epoch milliseconds. */
const invitation = z.object({
  id: z.string(),
  email: z.string(),
  member,
  note: z.string(),
  /** The name of the admin who invites. */
  invitedBy: z.string(),
  createdAt: z.number(),
  expiresAt: z.number(),
});
export type Invitation = z.infer<typeof invitation>;
export const invitations = z.object({
  invitations: z.array(invitation),
  /** False if the server keeps its mails in a folder, because no mail is set up. */
  sendsMail: z.boolean(),
});
export type Invitations = z.infer<typeof invitations>;

export const invitationToken = z.strictObject({ token: z.string().check(z.minLength(1), z.maxLength(200)) });

/** What the link of an invitation needs in this browser. */
export const invitationLinkState = z.object({
  email: z.string(),
  member,
  /**
   * `acceptance`: the invited user is signed in. `sign-in`: the address has an account. `new-account`: the
   * invited person chooses a name and a password. `sign-out`: another user is signed in.
   */
  needs: z.enum(['acceptance', 'sign-in', 'new-account', 'sign-out']),
  /** The email address of the user who is signed in here. */
  signedInAs: z.nullable(z.string()),
});
export type InvitationLinkState = z.infer<typeof invitationLinkState>;

/** What the invited person chooses for a new account. */
export const invitedAccount = z.strictObject({ displayName, password: newPassword });

/** Uses the link of an invitation. Only a link that needs a new account comes with a name and a password. */
export const invitationAcceptance = z.extend(invitationToken, z.partial(invitedAccount).shape);
export type InvitationAcceptance = z.infer<typeof invitationAcceptance>;
