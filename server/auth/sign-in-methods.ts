import { randomUUID } from 'node:crypto';
import type { Database, DatabaseKind } from '../database/connect.ts';
import { removeLostClinicians } from '../diary/sharing/clinicians.ts';
import { AppError } from '../http/errors.ts';

type Owner = { uid: string; email: string };

/**
 * Ends what the account's earlier password gave: sessions, known browsers, mailed links and sign-ins that
 * wait for a second factor.
 */
export async function endAccess(transaction: Database, { uid, email }: Owner): Promise<void> {
  await transaction.deleteFrom('sessions').where('userId', '=', uid).execute();
  await transaction.deleteFrom('knownBrowsers').where('uid', '=', uid).execute();
  await transaction
    .deleteFrom('emailChanges')
    .where('uid', '=', uid)
    .where('changedAt', 'is', null)
    .execute();
  await transaction.deleteFrom('verifications').where('value', '=', uid).execute();
  await transaction.deleteFrom('verificationLinks').where('email', '=', email).execute();
}

/**
 * Checks in a transaction that a session has not ended while its request was handled, for example because the
 * owner of the email address has taken over the account.
 * @throws AppError `auth/unauthenticated`
 */
export async function requireStillOpen(
  transaction: Database,
  kind: DatabaseKind,
  { id }: { id: string },
): Promise<void> {
  const row = await transaction
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', id)
    .$if(kind === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst();
  if (!row) throw new AppError('auth/unauthenticated');
}

/**
 * True while an account that has changed its email address can take this one back. No account may get it, so
 * that a thief cannot prevent that.
 * @param uid an account that may
 */
export async function isKeptAddress(database: Database, email: string, uid = ''): Promise<boolean> {
  const row = await database
    .selectFrom('emailChanges')
    .select('id')
    .where('oldEmail', '=', email)
    .where('uid', '!=', uid)
    .where('changedAt', 'is not', null)
    .where('expiresAt', '>', Date.now())
    .executeTakeFirst();
  return row !== undefined;
}

export async function removePassword(transaction: Database, uid: string): Promise<void> {
  await transaction
    .deleteFrom('accounts')
    .where('userId', '=', uid)
    .where('providerId', '=', 'credential')
    .execute();
}

/**
 * Makes the account belong to the owner of its email address alone. A stranger may have created the account,
 * or may have changed its address. So the first proof of the address, and taking back a change, remove
 * everything that could sign in before: passwords, accounts of Google, passkeys, the second factor, and what
 * `endAccess` ends.
 * @param proof the account of Google that proves the address, and stays
 */
export async function takeOverAccount(
  transaction: Database,
  owner: Owner,
  proof?: { googleId: string },
): Promise<void> {
  await endAccess(transaction, owner);
  await transaction
    .deleteFrom('accounts')
    .where('userId', '=', owner.uid)
    .where((row) =>
      row.not(row.and([row('providerId', '=', 'google'), row('accountId', '=', proof?.googleId ?? '')])),
    )
    .execute();
  // An invitation that a thief has sent would let the thief in again.
  await transaction.deleteFrom('invitations').where('invitedBy', '=', owner.uid).execute();
  await transaction.deleteFrom('twoFactors').where('userId', '=', owner.uid).execute();
  await transaction.deleteFrom('passkeys').where('uid', '=', owner.uid).execute();
  await transaction
    .updateTable('users')
    .set({
      twoFactorEnabled: false,
      // Google's name and picture then replace those that a stranger may have chosen.
      ...(proof && { ownName: false, ownPicture: false, profilePic: null }),
    })
    .where('id', '=', owner.uid)
    .execute();
  await removeLostClinicians(transaction, owner.uid);
}

/** The ways in which a user of another system signs in. */
export type ImportedSignIn = {
  uid: string;
  /** Epoch milliseconds. */
  createdAt: number;
  /** A stored hash (passwords/firebase-hash.ts); null for an account without a password. */
  password: string | null;
  /** Google's `sub` of this user; null without sign-in with Google. */
  googleId: string | null;
};

/** Adds the rows by which Better Auth finds passwords and Google accounts, in the caller's transaction. */
export async function addImportedSignIns(transaction: Database, signIns: ImportedSignIn[]): Promise<void> {
  const rows = signIns.flatMap(({ uid, createdAt, password, googleId }) => {
    // The cast to `never` is needed, because the types of both columns allow no value: elsewhere, only Better
    // Auth writes them. Both databases accept an ISO time.
    const time = new Date(createdAt).toISOString() as never;
    const common = { userId: uid, createdAt: time, updatedAt: time };
    return [
      ...(password === null
        ? []
        : [{ ...common, id: randomUUID(), accountId: uid, providerId: 'credential', password }]),
      ...(googleId === null
        ? []
        : [{ ...common, id: randomUUID(), accountId: googleId, providerId: 'google', password: null }]),
    ];
  });
  if (rows.length > 0) await transaction.insertInto('accounts').values(rows).execute();
}
