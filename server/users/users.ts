import { sql } from 'kysely';
import { foldForSearch } from '#contract/text.ts';
import type {
  AdminUserPatch,
  Member,
  MoodRecord,
  OwnUserPatch,
  StoredMember,
  UserRecord,
} from '#contract/user.ts';
import type { Database, DatabaseKind } from '../database/connect.ts';
import { authTime, epochMs } from '../database/database-time.ts';
import { removeLostClinicians } from '../diary/sharing/clinicians.ts';
import { AppError } from '../http/errors.ts';
import { documentTag } from '../http/send-document.ts';
import type { LimitedMailer } from '../mail/limited-mailer.ts';
import { type NewAdmin, newAdminMail } from '../mail/messages.ts';
import { noteAccess } from './access-log.ts';

/** The columns of a user record. */
export const userColumns = [
  'id',
  'displayName',
  'email',
  'research',
  'member',
  'staff',
  'profilePic',
  'category',
] as const;

/** @throws AppError `documents/not-found` */
export async function getUser(database: Database, uid: string): Promise<UserRecord> {
  const row = await database.selectFrom('users').select(userColumns).where('id', '=', uid).executeTakeFirst();
  if (!row) throw new AppError('documents/not-found');
  return userRecordOf(row);
}

/**
 * Changes the fields of a user record that the patch names. A user who loses the admin role also loses the
 * invitations that the user sent, and what patients granted to the user as a clinician.
 * @param tag the entity tag that the change is based on, if the client sent one
 * @param actorId the user who makes the change. If this is not the user `uid`, that user's access log records
 * the change in the same transaction, or a read if nothing changes
 * @throws AppError `documents/not-found`; `documents/precondition-failed` with the current record;
 * `auth/last-admin` when no admin would be left
 */
export async function updateUser(
  database: Database,
  kind: DatabaseKind,
  {
    uid,
    tag,
    patch,
    actorId,
  }: { uid: string; tag: string | undefined; patch: OwnUserPatch & AdminUserPatch; actorId?: string },
): Promise<{ record: UserRecord; madeAdmin: boolean }> {
  const losesAdmin = patch.member !== undefined && patch.member !== 'admin';
  const { refused, ...done } = await database.transaction().execute(async (transaction) => {
    if (losesAdmin) await lockAdmins(transaction, kind);
    await lockUser(transaction, kind, uid);
    const current = await getUser(transaction, uid);
    const note = async (action: 'read' | 'change', what: string) => {
      if (actorId !== undefined) await noteAccess(transaction, { actorId, subjectIds: [uid], action, what });
    };
    if (tag !== undefined && tag !== documentTag(current)) {
      await note('read', 'users');
      // The error is thrown after the commit, so that the access log entry stays.
      return { record: current, madeAdmin: false, refused: true };
    }
    const { displayName, profilePic, member, ...others } = withoutUndefined(patch);
    if (losesAdmin) await requireAnotherAdmin(transaction, uid);
    const changes = {
      ...others,
      ...(displayName !== undefined && {
        displayName,
        searchKey: foldForSearch(`${displayName} ${current.email}`),
        ownName: true,
      }),
      ...(profilePic !== undefined && { profilePic: profilePic || null, ownPicture: true }),
      ...(member !== undefined && { member: storedMemberOf(member) }),
    };
    if (Object.keys(changes).length === 0) {
      await note('read', 'users');
      return { record: current, madeAdmin: false, refused: false };
    }
    await transaction.updateTable('users').set(changes).where('id', '=', uid).execute();
    // Otherwise a later promotion would make them valid again.
    if (losesAdmin) await transaction.deleteFrom('invitations').where('invitedBy', '=', uid).execute();
    if (losesAdmin) await removeLostClinicians(transaction, uid);
    await note('change', Object.keys(withoutUndefined(patch)).join(' '));
    const madeAdmin = member === 'admin' && current.member !== 'admin';
    return { record: await getUser(transaction, uid), madeAdmin, refused: false };
  });
  if (refused) throw new AppError('documents/precondition-failed', { current: done.record });
  return done;
}

const newAccountMs = 24 * 60 * 60_000;

/** True if the account has no verified email address, or was created in the last 24 hours. */
export async function isNewAccount(database: Database, uid: string): Promise<boolean> {
  const { emailVerified, createdAt } = await database
    .selectFrom('users')
    .select(['emailVerified', 'createdAt'])
    .where('id', '=', uid)
    .executeTakeFirstOrThrow();
  return !emailVerified || epochMs(createdAt) > Date.now() - newAccountMs;
}

/**
 * Puts the URL of a new picture into the user's record, if the record names a picture that is stored on this
 * site.
 */
export async function replaceStoredPicture(transaction: Database, uid: string, url: string): Promise<void> {
  await transaction
    .updateTable('users')
    .set({ profilePic: url })
    .where('id', '=', uid)
    .where('profilePic', 'like', '/files/profilePics/%')
    .execute();
}

export async function findWordMood(database: Database, uid: string): Promise<MoodRecord | undefined> {
  const row = await database
    .selectFrom('wordMood')
    .select('record')
    .where('uid', '=', uid)
    .executeTakeFirst();
  return row && (JSON.parse(row.record) as MoodRecord);
}

/** Returns the number of users. It reads a tally that triggers maintain, so it does not count rows. */
export async function countUsers(database: Database): Promise<number> {
  const { users } = await database
    .selectFrom('userTally')
    .select((row) => row.fn.sum<number>('change').as('users'))
    .executeTakeFirstOrThrow();
  return Number(users);
}

const dayMs = 24 * 60 * 60_000;

/** Counts the users, without the team, who signed up in the last 7 and 30 days. */
export async function countNewUsers(
  database: Database,
  kind: DatabaseKind,
): Promise<{ in7Days: number; in30Days: number }> {
  const daysAgo = (days: number) => authTime(kind, Date.now() - days * dayMs);
  const { rows } = await sql<{ in7Days: number; in30Days: number }>`
    select count(*) filter (where "createdAt" >= ${daysAgo(7)}) as "in7Days", count(*) as "in30Days"
    from users where "createdAt" >= ${daysAgo(30)} and member in ('no', 'member') and staff = false`.execute(
    database,
  );
  return { in7Days: Number(rows[0]?.in7Days), in30Days: Number(rows[0]?.in30Days) };
}

/** Locks the user's row until the transaction ends. SQLite has only one writer, so it needs no lock. */
export async function lockUser(transaction: Database, kind: DatabaseKind, uid: string): Promise<void> {
  if (kind === 'postgres')
    await transaction.selectFrom('users').select('id').where('id', '=', uid).forUpdate().execute();
}

export type StoredUser = {
  id: string;
  displayName: string;
  email: string;
  research: boolean | number;
  member: StoredMember;
  staff: boolean | number;
  profilePic: string | null;
  category: string | null;
};

/** Converts a row to the record of the API, in which `member` and `profilePic` can be `false`. */
export function userRecordOf(row: StoredUser): UserRecord {
  return {
    id: row.id,
    displayName: row.displayName,
    email: row.email,
    research: Boolean(row.research),
    member: memberOf(row.member),
    staff: Boolean(row.staff),
    profilePic: row.profilePic ?? false,
    ...(row.category !== null && { category: row.category }),
  };
}

/** Converts a role from the database to the role of the API. */
export function memberOf(stored: StoredMember): Member {
  return stored === 'admin' || stored === 'editor' ? stored : stored === 'member';
}

/** Converts a role of the API to the role in the database. */
export function storedMemberOf(member: Member): StoredMember {
  if (typeof member === 'string') return member;
  return member ? 'member' : 'no';
}

function withoutUndefined<Patch extends object>(patch: Patch): Patch {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as Patch;
}

/**
 * Locks the rows of all admins until the transaction ends, so that two admins cannot demote each other at the
 * same time. Call it before any other lock on a user: two transactions that lock admins in different orders
 * can deadlock. SQLite has only one writer, so it needs no lock.
 */
export async function lockAdmins(transaction: Database, kind: DatabaseKind): Promise<void> {
  if (kind === 'postgres') await selectAdmins(transaction).orderBy('id').forUpdate().execute();
}

/**
 * Checks that `uid` is not the only admin. The transaction must have locked the admins.
 * @throws AppError `auth/last-admin`
 */
export async function requireAnotherAdmin(transaction: Database, uid: string): Promise<void> {
  const admins = await selectAdmins(transaction).execute();
  if (admins.length > 0 && admins.every(({ id }) => id === uid)) throw new AppError('auth/last-admin');
}

const selectAdmins = (database: Database) =>
  database.selectFrom('users').select('id').where('member', '=', 'admin');

/** Mails all other admins about a new admin. */
export async function tellAdmins(
  database: Database,
  mailer: LimitedMailer,
  { publicUrl, ...news }: NewAdmin & { publicUrl: string },
): Promise<void> {
  const others = (await listAdmins(database)).filter(({ email }) => email !== news.email);
  await Promise.all(
    others.map((admin) => mailer.send('new-admin', newAdminMail(admin, news, `${publicUrl}/admin/users`))),
  );
}

/** Returns the name and the email address of every admin. */
export async function listAdmins(database: Database): Promise<{ name: string; email: string }[]> {
  return database
    .selectFrom('users')
    .select(['displayName as name', 'email'])
    .where('member', '=', 'admin')
    .execute();
}
