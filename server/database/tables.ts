import type { ColumnType, Generated, Kysely } from 'kysely';
import type { Axis, ListName } from '#contract/axes.ts';

/** SQLite keeps booleans as 0 and 1: read them with Boolean(). */
type Flag = ColumnType<boolean | number, boolean, boolean>;
/** Written and read by Better Auth alone: text in SQLite, timestamptz in PostgreSQL. */
type AuthTime = ColumnType<unknown, never, never>;
/** Epoch milliseconds. */
type EpochMs = number;

/** `no`: an account only; `member`; `admin`: a member who keeps the library. */
export type StoredMember = 'no' | 'member' | 'admin';

export type Tables = {
  users: {
    id: string;
    displayName: string;
    email: string;
    emailVerified: Flag;
    profilePic: string | null;
    createdAt: AuthTime;
    updatedAt: AuthTime;
    member: StoredMember;
    staff: Flag;
    research: Flag;
    category: string | null;
    /** Name and e-mail without accents and case: the order and the search of the users page. */
    searchKey: string;
    twoFactorEnabled: ColumnType<boolean | number, boolean | undefined, boolean>;
  };
  /** The sum of `change` is the number of users; kept by triggers. */
  userTally: { change: number };
  /** Written and read by Better Auth alone; secret and codes are encrypted. */
  twoFactors: { id: string; userId: string; secret: string; backupCodes: string; verified: Flag };
  sessions: {
    id: string;
    token: string;
    userId: string;
    expiresAt: AuthTime;
    ipAddress: string | null;
    userAgent: string | null;
    createdAt: AuthTime;
    updatedAt: AuthTime;
  };
  accounts: {
    id: string;
    accountId: string;
    providerId: string;
    userId: string;
    accessToken: string | null;
    refreshToken: string | null;
    idToken: string | null;
    accessTokenExpiresAt: AuthTime;
    refreshTokenExpiresAt: AuthTime;
    scope: string | null;
    password: string | null;
    createdAt: AuthTime;
    updatedAt: AuthTime;
  };
  verifications: {
    id: string;
    identifier: string;
    value: string;
    expiresAt: AuthTime;
    createdAt: AuthTime;
    updatedAt: AuthTime;
  };
  /** At most one row: the link that makes the first admin, as a SHA-256 hash. */
  firstAdminLinks: { tokenHash: string; createdAt: EpochMs };
  accessLog: {
    id: string;
    at: EpochMs;
    subjectId: string;
    /** Null in entries from before it was kept. The account may be gone. */
    actorId: string | null;
    /** As it was then. */
    actorName: string;
    action: 'read' | 'change';
    what: string;
  };
  /** How often something was tried in the present window, by a digest of what and who. */
  attempts: { key: string; count: number; endsAt: EpochMs };
  /** Challenges and tokens that have done their service, until they would have expired anyway. */
  spentProofs: { id: string; expiresAt: EpochMs };
  newsletterSubscribers: {
    id: string;
    email: string;
    /** Proof of the consent: when the box was ticked, and when the mailed link was opened. */
    consentedAt: EpochMs;
    confirmedAt: EpochMs | null;
    /** When the last confirmation mail went out, so that nobody can flood somebody else. */
    mailedAt: EpochMs;
  };
  wordMood: { uid: string /** JSON */; record: string };
  /** One row per list document; whoever changes a list updates its row first, which also serialises writers. */
  activityLists: {
    name: ListName;
    /** Grows by one with every change: the document's entity tag. */
    version: Generated<number>;
    /** The position of the newest activity; the next one gets one more. */
    lastPosition: Generated<number>;
  };
  activities: StoredActivity;
  /** What was deleted, until nobody can want it back. */
  deletedActivities: StoredActivity & {
    // `position` is 0 once the list has been written anew.
    /** The activity it stood behind; null for the first of its list. */
    previousId: string | null;
    deletedAt: EpochMs;
  };
  /** Finished files. What is at a path never changes. */
  files: {
    path: string;
    /** Names the content in the file store; other than the path, nobody outside can choose it. */
    key: string;
    /** Who brought it; nobody once that account is gone. */
    ownerId: string | null;
    contentType: string;
    sizeBytes: number;
    /** With the versions in other sizes. */
    storedBytes: number;
    sha256: string;
    /** JSON: the bytes of each version of a picture, by its name (storage/files/pictures.ts); empty for other files. */
    versions: string;
    /** Whoever has it may read the file. */
    token: string;
    width: number | null;
    height: number | null;
    createdAt: EpochMs;
  };
  /** Uploads under way. A finished one stays until it expires, to say so to a client that lost the answer. */
  uploads: {
    id: string;
    ownerId: string;
    path: string;
    key: string;
    /** What the file store needs to go on; empty on disk. */
    storeState: string;
    declaredType: string;
    sizeBytes: number;
    /** How much is stored for good. Equal to `sizeBytes` only when it is finished. */
    offsetBytes: number;
    sha256: string | null;
    createdAt: EpochMs;
    expiresAt: EpochMs;
    finishedAt: EpochMs | null;
    /** The request that is writing, until it lets go or has not renewed its hold in time. */
    holder: string | null;
    heldUntil: Generated<EpochMs>;
    /** When another request last asked the holder to let go. */
    wantedAt: Generated<EpochMs>;
  };
  /** App-check tokens that serve for all calls of one upload. */
  uploadProofs: { uploadId: string; proofId: string };
  /** Contents in the file store that nothing refers to any more, until they are removed. */
  discardedContents: { key: string; storeState: string };
};

type StoredActivity = {
  id: string;
  list: ListName;
  /** Ascending order within the list; gaps mean nothing. */
  position: number;
  axis: Axis;
  title: string;
  url: string;
  image: string;
  audio: string;
  content: string;
  createdAt: EpochMs;
  updatedAt: EpochMs;
  /** Who saved it last, for admins alone: lists are public. Null once that account is gone. */
  updatedBy: string | null;
};

export type DatabaseKind = 'sqlite' | 'postgres';
export type Database = Kysely<Tables>;
