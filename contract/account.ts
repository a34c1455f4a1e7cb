import * as z from 'zod/mini';
import { newPassword } from './credentials.ts';
import { limits } from './limits.ts';
import { moodRecord, userRecord } from './user.ts';

/** A password given once more, to show that it is its owner who asks. */
const currentPassword = z
  .string('Preencha a sua senha.')
  .check(
    z.minLength(1, 'Preencha a sua senha.'),
    z.maxLength(limits.passwordMaxLength, 'Senha longa demais.'),
  );

export const passwordChange = z.strictObject({ current: currentPassword, next: newPassword });
export type PasswordChange = z.infer<typeof passwordChange>;

export const accountDeletion = z.strictObject({ password: currentPassword });

/** A browser that is signed in to the account. Times are epoch milliseconds. */
export const openSession = z.object({
  id: z.string(),
  /** The one that asks. */
  current: z.boolean(),
  startedAt: z.number(),
  lastUsedAt: z.number(),
  /** What the browser calls itself; empty when it did not say. */
  userAgent: z.string(),
});
export type OpenSession = z.infer<typeof openSession>;
export const openSessions = z.object({ sessions: z.array(openSession) });

/** What an admin did with a person's data. */
export const accessEntry = z.object({
  at: z.number(),
  by: z.string(),
  /** The admin's account, which keeps its id under another name; null in old entries. */
  byId: z.union([z.string(), z.null()]),
  action: z.enum(['read', 'change']),
  /** What was read or changed: `users`, `wordMood`, `profilePic`, an export, or the names of the fields. */
  what: z.string(),
});

/** Everything that is kept about a person, for the person. Times are epoch milliseconds. */
export const accountExport = z.object({
  exportedAt: z.number(),
  user: userRecord,
  emailVerified: z.boolean(),
  createdAt: z.number(),
  signInMethods: z.array(z.object({ provider: z.string(), since: z.number() })),
  sessions: z.array(openSession),
  wordMood: z.union([z.literal(false), moodRecord]),
  newsletter: z.union([
    z.literal(false),
    z.object({ consentedAt: z.number(), confirmedAt: z.union([z.number(), z.null()]) }),
  ]),
  accessLog: z.array(accessEntry),
  /** The activities that the person saved last. */
  savedActivities: z.array(z.object({ id: z.string(), title: z.string(), savedAt: z.number() })),
  /** What the person uploaded. */
  files: z.array(
    z.object({ path: z.string(), contentType: z.string(), sizeBytes: z.number(), createdAt: z.number() }),
  ),
});
export type AccountExport = z.infer<typeof accountExport>;
