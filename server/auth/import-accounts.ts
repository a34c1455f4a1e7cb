import { randomUUID } from 'node:crypto';
import type { Database } from '../database/connect.ts';

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
