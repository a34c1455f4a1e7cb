import { randomBytes, randomUUID } from 'node:crypto';
import type { z } from 'zod/mini';
import type {
  Invitation,
  InvitationAcceptance,
  InvitationLinkState,
  invitationInput,
} from '#contract/sign-in/invitation.ts';
import type { StoredMember } from '#contract/user.ts';
import { roleName, storedMembers } from '#contract/user.ts';
import type { AppContext } from '#server/context.ts';
import type { Database } from '#server/database/connect.ts';
import { AppError } from '#server/http/errors.ts';
import type { LimitedMailer } from '#server/mail/limited-mailer.ts';
import { invitationMail } from '#server/mail/messages.ts';
import { noteAccess } from '#server/users/access-log.ts';
import {
  lockAdmins,
  lockUser,
  tellAdmins as mailAdmins,
  memberOf,
  storedMemberOf,
} from '#server/users/users.ts';
import type { createEmailVerification } from '../email-verification.ts';
import { hashOfToken } from '../hashed-tokens.ts';
import type { Session, WithCookies } from '../sessions/session.ts';
import { requireStillOpen } from '../sign-in-methods.ts';

const day = 24 * 60 * 60_000;

/** How long an invitation is valid. */
const lifeOf = (member: StoredMember) =>
  member === 'admin' ? { ms: day, words: '24 horas' } : { ms: 7 * day, words: '7 dias' };

/** What an accepted invitation has done. */
export type Acceptance = {
  session: Session;
  /** Empty when no session has begun. */
  cookies: string[];
  member: StoredMember;
  inviterId: string;
  /** Mails the other admins about a new admin. */
  tellAdmins: () => Promise<void>;
};

/**
 * Makes and uses invitations: links that give a role to the owner of an email address. An invitation is valid
 * once, until it expires, is withdrawn or replaced, and only while its sender is an admin.
 */
export function createInvitations(
  context: AppContext,
  {
    mailer,
    signUpInvited,
    findSession,
  }: {
    mailer: LimitedMailer;
    signUpInvited: ReturnType<typeof createEmailVerification>['signUpInvited'];
    findSession: (headers: Headers) => Promise<Session | undefined>;
  },
) {
  const { database, databaseKind } = context;
  const { publicUrl } = context.environment;

  /** @throws AppError `auth/invalid-link` */
  async function findLink(token: string, headers: Headers) {
    const found = await openInvitations(database).where('token', '=', hashOfToken(token)).executeTakeFirst();
    if (!found) throw new AppError('auth/invalid-link');
    const owner = await database
      .selectFrom('users')
      .select('id')
      .where('email', '=', found.email)
      .where('emailVerified', '=', true)
      .executeTakeFirst();
    const session = await findSession(headers);
    return { found, session, needs: needsOf(found.email, owner?.id, session) };
  }

  /** @returns false when no invitation has the token */
  async function replaceToken(token: string, next: string): Promise<boolean> {
    const { numUpdatedRows } = await database
      .updateTable('invitations')
      .set({ token: hashOfToken(next) })
      .where('token', '=', hashOfToken(token))
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /** Uses the invitation up, and gives its role to the user of the session. */
  async function applyRole(
    token: string,
    { id, uid, email }: Session,
  ): Promise<Omit<Acceptance, 'session' | 'cookies'>> {
    return database.transaction().execute(async (transaction) => {
      await requireStillOpen(transaction, databaseKind, { id });
      // The inviter must not lose the role before this transaction ends.
      await lockAdmins(transaction, databaseKind);
      await lockUser(transaction, databaseKind, uid);
      const found = await openInvitations(transaction)
        .where('token', '=', hashOfToken(token))
        .executeTakeFirst();
      if (!found) throw new AppError('auth/invalid-link');
      const { numDeletedRows } = await transaction
        .deleteFrom('invitations')
        .where('id', '=', found.id)
        .executeTakeFirst();
      if (numDeletedRows === 0n) throw new AppError('auth/invalid-link');
      const { member: before } = await transaction
        .selectFrom('users')
        .select('member')
        .where('id', '=', uid)
        .executeTakeFirstOrThrow();
      const { member, inviterId, invitedBy: by } = found;
      // An invitation never lowers a role.
      const rises = storedMembers.indexOf(member) > storedMembers.indexOf(before);
      if (rises) {
        await transaction.updateTable('users').set({ member }).where('id', '=', uid).execute();
        await noteAccess(transaction, {
          ...{ actorId: inviterId, subjectIds: [uid], action: 'change', what: 'member' },
        });
      }
      const tellAdmins = async () => {
        if (rises && member === 'admin')
          await mailAdmins(database, mailer, { email, by, how: 'invitation', publicUrl });
      };
      return { member: rises ? member : before, inviterId, tellAdmins };
    });
  }

  return {
    /** Lists the open invitations, newest first. The access logs of users with these addresses record it. */
    async list(actorId: string): Promise<Invitation[]> {
      const rows = await openInvitations(database).orderBy('invitations.createdAt', 'desc').execute();
      const owners = await database
        .selectFrom('users')
        .innerJoin('invitations', 'invitations.email', 'users.email')
        .select('users.id')
        .execute();
      const subjectIds = owners.map(({ id }) => id);
      await noteAccess(database, { actorId, subjectIds, action: 'read', what: 'invitations' });
      return rows.map(({ inviterId: _, ...row }) => ({ ...row, member: memberOf(row.member) }));
    },

    /**
     * Mails an invitation, which replaces earlier ones to the same address.
     * @throws AppError `auth/too-many-attempts`, `server/unavailable` when the mail cannot be sent
     */
    async invite(
      { email, member: role, note }: z.output<typeof invitationInput>,
      inviterId: string,
    ): Promise<void> {
      const token = randomBytes(32).toString('base64url');
      const member = storedMemberOf(role);
      const life = lifeOf(member);
      const id = randomUUID();
      const now = Date.now();
      const row = { id, token: hashOfToken(token), email: email.toLowerCase(), member, note };
      const { inviter, replacedIds } = await database.transaction().execute(async (transaction) => {
        // The inviter must still be an admin, and of two invitations at once, only one replaces the other.
        await lockAdmins(transaction, databaseKind);
        const admin = await transaction
          .selectFrom('users')
          .select('displayName')
          .where('id', '=', inviterId)
          .where('member', '=', 'admin')
          .executeTakeFirst();
        if (!admin) throw new AppError('auth/forbidden');
        const earlier = await transaction
          .selectFrom('invitations')
          .select('id')
          .where('email', '=', row.email)
          .execute();
        await transaction
          .insertInto('invitations')
          .values({ ...row, invitedBy: inviterId, createdAt: now, expiresAt: now + life.ms })
          .execute();
        return { inviter: admin.displayName, replacedIds: earlier.map((one) => one.id) };
      });
      let sent = false;
      try {
        const about = { inviter, role: roleName(role), note, lifeWords: life.words };
        const link = `${publicUrl}/convite#${token}`;
        sent = await mailer.send('invitation', invitationMail(row.email, about, link));
      } finally {
        const goneIds = sent ? replacedIds : [id];
        if (goneIds.length > 0) await database.deleteFrom('invitations').where('id', 'in', goneIds).execute();
      }
      if (!sent) throw new AppError('auth/too-many-attempts');
    },

    /** @returns false when there is no such invitation */
    async withdraw(id: string): Promise<boolean> {
      const { numDeletedRows } = await database
        .deleteFrom('invitations')
        .where('id', '=', id)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    /**
     * Tells what the link needs in this browser, without using it.
     * @throws AppError `auth/invalid-link`
     */
    async describeLink(token: string, headers: Headers): Promise<InvitationLinkState> {
      const { found, session, needs } = await findLink(token, headers);
      return {
        email: found.email,
        member: memberOf(found.member),
        needs,
        signedInAs: session?.email ?? null,
      };
    },

    /**
     * Gives the role of the invitation to the signed-in owner of the address, or to a new account with this
     * name and password.
     * @throws AppError `auth/invalid-link`; `auth/other-account` while another user is signed in;
     * `auth/unauthenticated` when the owner must sign in first; `request/invalid`
     */
    async accept(
      { token, displayName, password }: InvitationAcceptance,
      headers: Headers,
    ): Promise<Acceptance> {
      const { found, session, needs } = await findLink(token, headers);
      if (needs === 'sign-out') throw new AppError('auth/other-account');
      if (needs === 'sign-in') throw new AppError('auth/unauthenticated');
      if (needs === 'acceptance' && session)
        return { session, cookies: [], ...(await applyRole(token, session)) };
      if (displayName === undefined || password === undefined)
        throw new AppError('request/invalid', {
          issues: [{ path: 'password', message: 'Escolha um nome e uma senha.' }],
        });
      // Without this claim, two browsers at once could both give the account a password.
      const claim = randomBytes(32).toString('base64url');
      if (!(await replaceToken(token, claim))) throw new AppError('auth/invalid-link');
      try {
        const account = { email: found.email, displayName, password };
        const { result, cookies }: WithCookies<Session> = await signUpInvited(account, headers);
        return { session: result, cookies, ...(await applyRole(claim, result)) };
      } catch (error) {
        await replaceToken(claim, token);
        throw error;
      }
    },
  };
}

/** Selects the invitations that have not expired and whose sender is still an admin. */
const openInvitations = (database: Database) =>
  database
    .selectFrom('invitations')
    .innerJoin('users', 'users.id', 'invitations.invitedBy')
    .select(['invitations.id', 'invitations.email', 'invitations.member', 'invitations.note'])
    .select(['invitations.createdAt', 'invitations.expiresAt'])
    .select(['users.displayName as invitedBy', 'users.id as inviterId'])
    .where('users.member', '=', 'admin')
    .where('invitations.expiresAt', '>', Date.now());

/** @param ownerId the user who has proved to own the invited address, if there is one */
function needsOf(
  email: string,
  ownerId: string | undefined,
  session: Session | undefined,
): InvitationLinkState['needs'] {
  // An account with the invited address that nobody has proved is no other account: it will be taken over.
  if (session && session.email !== email) return 'sign-out';
  if (ownerId === undefined) return 'new-account';
  return session ? 'acceptance' : 'sign-in';
}
