import type { ColumnType, Generated, Kysely } from 'kysely';
import type { Axis, ListName } from '#contract/axes.ts';

/** SQLite keeps booleans as 0 and 1: read them with Boolean(). */
type Flag = ColumnType<boolean | number, boolean, boolean>;
/** Only Better Auth writes and reads it: text in SQLite, timestamptz in PostgreSQL. */
type AuthTime = ColumnType<unknown, never, never>;
/** Epoch milliseconds. */
type EpochMs = number;

/** `no`: an account only; `member`; `admin`: a member who edits the library. */
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
    /** Name and e-mail without accents and case, for the order and the search of the users page. */
    searchKey: string;
    twoFactorEnabled: ColumnType<boolean | number, boolean | undefined, boolean>;
  };
  /** The sum of `change` is the number of users; kept by triggers. */
  userTally: { change: number };
  /** Only Better Auth writes and reads it; secret and codes are encrypted. */
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
    /** Null in entries from before this column existed. The account may be deleted. */
    actorId: string | null;
    /** The name at that time. */
    actorName: string;
    action: 'read' | 'change';
    what: string;
  };
  /** The attempts in the current window, by a digest of rate limit and subject. */
  attempts: { key: string; count: number; endsAt: EpochMs };
  /** Spent challenges and tokens, kept until they expire. */
  spentProofs: { id: string; expiresAt: EpochMs };
  newsletterSubscribers: {
    id: string;
    email: string;
    /** Proof of the consent: the times of the ticked box and of the opened link. */
    consentedAt: EpochMs;
    confirmedAt: EpochMs | null;
    /** The time of the last confirmation mail, which limits such mails. */
    mailedAt: EpochMs;
  };
  wordMood: { uid: string /** JSON */; record: string };
  /** One row per list document. A change of a list updates its row first, which also serializes writers. */
  activityLists: {
    name: ListName;
    /** Grows by one with every change: the document's entity tag. */
    version: Generated<number>;
    /** The position of the newest activity; the next one gets this plus one. */
    lastPosition: Generated<number>;
  };
  activities: StoredActivity;
  /** Soft-deleted activities, until they expire. */
  deletedActivities: StoredActivity & {
    // `position` is 0 once the list has been rewritten.
    /** Its predecessor in the list; null for the first one. */
    previousId: string | null;
    deletedAt: EpochMs;
  };
  /** Finished files. The file at a path never changes. */
  files: {
    path: string;
    /** The content's name in the file store. Unlike the path, clients cannot choose it. */
    key: string;
    /** The user who uploaded it; null once that account is deleted. */
    ownerId: string | null;
    contentType: string;
    sizeBytes: number;
    /** The size including all versions. */
    storedBytes: number;
    sha256: string;
    /**
     * JSON: the bytes of each version of a picture, by its name (storage/files/pictures.ts); empty for other
     * files.
     */
    versions: string;
    /** Gives read access to the file. */
    token: string;
    width: number | null;
    height: number | null;
    createdAt: EpochMs;
  };
  /** Uploads. A finished one stays until it expires, for a client that lost the answer. */
  uploads: {
    id: string;
    ownerId: string;
    path: string;
    key: string;
    /** The file store's state to continue the upload; empty on disk. */
    storeState: string;
    declaredType: string;
    sizeBytes: number;
    /** The number of durably stored bytes. Equal to `sizeBytes` only when it is finished. */
    offsetBytes: number;
    sha256: string | null;
    createdAt: EpochMs;
    expiresAt: EpochMs;
    finishedAt: EpochMs | null;
    /** The request with the lease, until it releases it or does not renew it in time. */
    holder: string | null;
    heldUntil: Generated<EpochMs>;
    /** The time when another request last asked the holder to release the lease. */
    wantedAt: Generated<EpochMs>;
  };
  /** App-check tokens that are valid for all calls of one upload. */
  uploadProofs: { uploadId: string; proofId: string };
  /** Contents in the file store without references, until they are removed. */
  discardedContents: { key: string; storeState: string };
};

type StoredActivity = {
  id: string;
  list: ListName;
  /** Ascending order within the list; gaps have no meaning. */
  position: number;
  axis: Axis;
  title: string;
  url: string;
  image: string;
  audio: string;
  content: string;
  createdAt: EpochMs;
  updatedAt: EpochMs;
  /**
   * The user who saved it last. Only admins may see it, because lists are public. Null once that account is
   * deleted.
   */
  updatedBy: string | null;
};

export type DatabaseKind = 'sqlite' | 'postgres';
export type Database = Kysely<Tables>;
