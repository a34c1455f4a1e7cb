import type { StoredMember } from '#server/database/tables.ts';

/** A session as the server knows it: who, in what role, from when to when (epoch milliseconds). */
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

/** What an operation answers, and the `Set-Cookie` lines that go with it. */
export type WithCookies<Result> = { result: Result; cookies: string[] };
