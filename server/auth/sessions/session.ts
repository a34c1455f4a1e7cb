import type { StoredMember } from '#server/database/tables.ts';

/** A session as the server knows it; times in epoch milliseconds. */
export type Session = {
  id: string;
  uid: string;
  email: string;
  emailVerified: boolean;
  secondFactor: boolean;
  member: StoredMember;
  startedAt: number;
  expiresAt: number;
};

/** The result of an operation, with its `Set-Cookie` lines. */
export type WithCookies<Result> = { result: Result; cookies: string[] };
