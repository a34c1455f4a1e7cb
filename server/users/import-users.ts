import { foldForSearch } from '#contract/text.ts';
import type { MoodRecord, StoredMember } from '#contract/user.ts';
import type { Database } from '../database/connect.ts';

/** A user of another system. */
export type ImportedUser = {
  id: string;
  displayName: string;
  /** In lower case. */
  email: string;
  emailVerified: boolean;
  profilePic: string | null;
  /** Epoch milliseconds. */
  createdAt: number;
  member: StoredMember;
  staff: boolean;
  research: boolean;
  category: string | null;
  /** True if the name comes from Google, so that a sign-in with Google updates it. */
  nameFromGoogle: boolean;
};

/** Adds users, in the caller's transaction. Their email addresses and ids must be new. */
export async function addImportedUsers(transaction: Database, users: ImportedUser[]): Promise<void> {
  await transaction
    .insertInto('users')
    .values(
      users.map(({ createdAt, nameFromGoogle, ...user }) => {
        // The cast to `never` is needed, because the types of both columns allow no value: elsewhere, only
        // Better Auth writes them. Both databases accept an ISO time.
        const time = new Date(createdAt).toISOString() as never;
        return {
          ...user,
          searchKey: foldForSearch(`${user.displayName} ${user.email}`),
          createdAt: time,
          updatedAt: time,
          twoFactorEnabled: false,
          ownName: !nameFromGoogle,
          ownPicture: user.profilePic?.startsWith('/') ?? false,
        };
      }),
    )
    .execute();
}

/** Adds the mood records of imported users, in the caller's transaction. */
export async function addImportedMoods(
  transaction: Database,
  moods: { uid: string; record: MoodRecord }[],
): Promise<void> {
  await transaction
    .insertInto('wordMood')
    .values(moods.map(({ uid, record }) => ({ uid, record: JSON.stringify(record) })))
    .execute();
}
