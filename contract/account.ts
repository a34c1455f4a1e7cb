import * as z from 'zod/mini';
import { newPassword } from './credentials.ts';
import { diaryConsent } from './diary/consent.ts';
import { diaryFile } from './diary/entry.ts';
import { diaryRead, diaryShare, noteItem } from './diary/share.ts';
import { weekAssignment } from './diary/week.ts';
import { reminderStops, reminderTimes } from './reminder.ts';
import { currentPassword } from './sign-in/proof.ts';
import { member, moodRecord, userRecord } from './user.ts';

export const passwordChange = z.strictObject({ current: currentPassword, next: newPassword });
export type PasswordChange = z.infer<typeof passwordChange>;

/** A browser that is signed in to the account. Times are epoch milliseconds. */
export const openSession = z.object({
  id: z.string(),
  /** True for the browser that sends the request. */
  current: z.boolean(),
  startedAt: z.number(),
  lastUsedAt: z.number(),
  /** The User-Agent header; empty when the browser sent none. */
  userAgent: z.string(),
});
export type OpenSession = z.infer<typeof openSession>;
export const openSessions = z.object({ sessions: z.array(openSession) });

/** An entry of the access log: what an admin did with a user's personal data. */
export const accessEntry = z.object({
  at: z.number(),
  by: z.string(),
  /** The id of the admin's account, which stays the same when the name changes; null in old entries. */
  byId: z.union([z.string(), z.null()]),
  action: z.enum(['read', 'change']),
  /**
   * What the admin read or changed: `users`, `wordMood`, `profilePic`, `invitations`, `clinician`, the name
   * of an export, or the names of the changed fields.
   */
  what: z.string(),
});

/** The personal data of a user, which that user can export. Times are epoch milliseconds. */
export const accountExport = z.object({
  exportedAt: z.number(),
  user: userRecord,
  emailVerified: z.boolean(),
  createdAt: z.number(),
  /** The last day in Brasília on which the user was signed in, such as `2026-11-27`. */
  lastSeenOn: z.nullable(z.string()),
  /**
   * True until the user chooses a name on this site. Until then, each sign-in with Google updates the name.
   */
  nameFromGoogle: z.boolean(),
  pictureFromGoogle: z.boolean(),
  signInMethods: z.array(z.object({ provider: z.string(), since: z.number() })),
  /** Without the keys: those stay with the site and with the devices. */
  passkeys: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      createdAt: z.number(),
      lastUsedAt: z.nullable(z.number()),
    }),
  ),
  sessions: z.array(openSession),
  /** Open invitations: those that the user sent, without the email addresses, and those to the user. */
  invitations: z.array(z.object({ sent: z.boolean(), member, createdAt: z.number(), expiresAt: z.number() })),
  /** The pending change of the email address, and those that can still be taken back. */
  emailChanges: z.array(
    z.object({
      oldEmail: z.string(),
      newEmail: z.string(),
      requestedAt: z.number(),
      changedAt: z.nullable(z.number()),
      expiresAt: z.number(),
    }),
  ),
  /** The diary as the file that an import reads. */
  diary: z.union([z.literal(false), diaryFile]),
  /** What the user has agreed to before a diary, also the withdrawn consents. */
  diaryConsents: z.array(diaryConsent),
  /** Also those that have ended. */
  diaryShares: z.array(diaryShare),
  diaryReads: z.array(diaryRead),
  consultationNotes: z.array(noteItem),
  /** What clinicians have proposed, also what they have withdrawn. */
  assignments: z.array(weekAssignment),
  /** The reminder by e-mail, if the user has ever chosen its times. */
  reminder: z.union([
    z.literal(false),
    z.extend(reminderTimes, {
      on: z.boolean(),
      sentAt: z.nullable(z.number()),
      stoppedBy: z.nullable(z.enum(reminderStops)),
    }),
  ]),
  wordMood: z.union([z.literal(false), moodRecord]),
  newsletter: z.union([
    z.literal(false),
    z.object({ consentedAt: z.number(), confirmedAt: z.union([z.number(), z.null()]) }),
  ]),
  accessLog: z.array(accessEntry),
  /** Only if patients can allow the user to read their diaries. */
  clinician: z.union([
    z.literal(false),
    z.object({ name: z.string(), crm: z.string(), namedAt: z.number() }),
  ]),
  /** The practices that the user keeps. The title is `null` while the practice is not public. */
  favourites: z.array(z.object({ title: z.nullable(z.string()), path: z.string(), keptAt: z.number() })),
  /** The activities whose last change is by this user. */
  savedActivities: z.array(z.object({ id: z.string(), title: z.string(), savedAt: z.number() })),
  /** The activities that this user deleted and that can still be restored. */
  deletedActivities: z.array(z.object({ id: z.string(), title: z.string(), deletedAt: z.number() })),
  /** The versions of the site that this user published. */
  publishedVersions: z.array(z.object({ version: z.number(), note: z.string(), publishedAt: z.number() })),
  /** The sections of the site's draft whose last change is by this user. */
  draftSections: z.array(z.object({ section: z.string(), savedAt: z.number() })),
  /** The files that the user uploaded. */
  files: z.array(
    z.object({ path: z.string(), contentType: z.string(), sizeBytes: z.number(), createdAt: z.number() }),
  ),
});
export type AccountExport = z.infer<typeof accountExport>;
