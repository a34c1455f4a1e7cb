import type { ColumnType, Generated, Kysely } from 'kysely';
import type { Activity } from '#contract/activity.ts';
import type { ListName } from '#contract/axes.ts';
import type { IssueState } from '#contract/newsletter.ts';
import type { SectionName } from '#contract/site/content.ts';
import type { StoredMember } from '#contract/user.ts';
import type { DiaryTables } from './diary-tables.ts';

/** SQLite keeps booleans as 0 and 1: read them with Boolean(). */
type Flag = ColumnType<boolean | number, boolean, boolean>;
/** A time that only Better Auth writes: text in SQLite, timestamptz in PostgreSQL. Read it with epochMs(). */
type AuthTime = ColumnType<unknown, never, never>;
/** Epoch milliseconds. */
type EpochMs = number;

export type Tables = DiaryTables & {
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
    /** The last day in Brasília on which the user was signed in, such as `2026-11-27`. */
    lastSeenOn: ColumnType<string | null, string | null | undefined, string>;
    /** The name and the email address in lower case without accents, to sort and search users by. */
    searchKey: string;
    twoFactorEnabled: ColumnType<boolean | number, boolean | undefined, boolean>;
    /** True once the user has chosen the name here. A sign-in with Google then does not replace it. */
    ownName: ColumnType<boolean | number, boolean | undefined, boolean>;
    /** Like `ownName`, for the picture. Removing the picture is also a choice. */
    ownPicture: ColumnType<boolean | number, boolean | undefined, boolean>;
  };
  /** The sum of `change` is the number of users. Triggers keep it up to date. */
  userTally: { change: number };
  /** Only Better Auth writes and reads this table. The secret and the recovery codes are encrypted. */
  twoFactors: {
    id: string;
    userId: string;
    secret: string;
    backupCodes: string;
    verified: Flag;
    failedVerificationCount: ColumnType<number | null, never, never>;
    lockedUntil: AuthTime;
  };
  sessions: {
    id: string;
    /** A hash (auth/hashed-tokens.ts). */
    token: string;
    userId: string;
    expiresAt: AuthTime;
    ipAddress: string | null;
    userAgent: string | null;
    createdAt: AuthTime;
    updatedAt: AuthTime;
    /** True if the session began with the password and the second factor, or with a passkey. */
    strong: ColumnType<boolean | number, boolean | undefined, boolean>;
  };
  accounts: {
    id: string;
    accountId: string;
    providerId: string;
    userId: string;
    /** Always null, like Google's other tokens, because the server never uses them. */
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
    /** A purpose and a hash (auth/hashed-tokens.ts). */
    identifier: string;
    value: string;
    expiresAt: AuthTime;
    createdAt: AuthTime;
    updatedAt: AuthTime;
  };
  /** Links that prove an email address (auth/email-verification.ts). `token` and `browser` are hashes. */
  verificationLinks: {
    token: string;
    email: string;
    /** The mark of the browser that asked for the link. */
    browser: string;
    /** Name and password hash of a sign-up. Null for the link of an account. */
    displayName: string | null;
    password: string | null;
    expiresAt: EpochMs;
  };
  /** Open invitations (auth/invitations/invitations.ts). `token` is a hash. */
  invitations: {
    id: string;
    token: string;
    email: string;
    member: StoredMember;
    note: string;
    invitedBy: string;
    createdAt: EpochMs;
    expiresAt: EpochMs;
  };
  /** Passkeys (auth/passkeys/passkeys.ts). The ids of credentials and the keys are base64url. */
  passkeys: {
    id: string;
    uid: string;
    credentialId: string;
    publicKey: string;
    /** Grows with each use, or stays 0: many authenticators do not count. */
    counter: number;
    /** How the browser reaches the authenticator, separated by commas. */
    transports: string;
    name: string;
    createdAt: EpochMs;
    lastUsedAt: EpochMs | null;
  };
  /**
   * Changes of an account's email address (auth/email-change/email-change.ts). `token` is a hash: of the link
   * that confirms the new address or, after the change, of the link that takes the change back.
   */
  emailChanges: {
    id: string;
    uid: string;
    oldEmail: string;
    newEmail: string;
    token: string;
    requestedAt: EpochMs;
    /** Null until the new address is confirmed. */
    changedAt: EpochMs | null;
    /** Until then, the link is valid. */
    expiresAt: EpochMs;
  };
  /** Browsers that have signed in to an account (auth/sessions/complete-sign-in.ts). `mark` is a hash. */
  knownBrowsers: { mark: string; uid: string; signedInAt: EpochMs };
  /** At most one row: the seed of the link that makes the first admin (auth/first-admin.ts). */
  firstAdminLinks: { id: string; seed: string; createdAt: EpochMs };
  accessLog: {
    id: string;
    at: EpochMs;
    subjectId: string;
    /** Null in entries that are older than this column. The actor's account may no longer exist. */
    actorId: string | null;
    /** The actor's name at that time. */
    actorName: string;
    action: 'read' | 'change';
    what: string;
  };
  /** The attempts in the current window. The key is the rate limit's name and a digest of what it limits. */
  attempts: { key: string; count: number; endsAt: EpochMs };
  /** Spent challenges and tokens of the app check, and used second-factor codes, kept until they expire. */
  spentProofs: { id: string; expiresAt: EpochMs };
  newsletterSubscribers: {
    id: string;
    email: string;
    /**
     * Proof of consent: the subscriber ticked the box at this time, and confirmed by mail at `confirmedAt`.
     */
    consentedAt: EpochMs;
    confirmedAt: EpochMs | null;
    /** The time of the last confirmation mail, so that the next one is not sent too soon. */
    mailedAt: EpochMs;
  };
  /** The issues of the newsletter (newsletter/issues.ts). */
  newsletterIssues: {
    id: string;
    subject: string;
    text: string;
    /** 1 if search engines may index the public page, else 0. */
    indexed: number;
    state: IssueState;
    problem: string | null;
    /** Grows by one with every change of the text. */
    revision: number;
    /** The confirmed subscribers when the sending began. */
    recipients: number;
    sent: number;
    updatedAt: EpochMs;
    startedAt: EpochMs | null;
    finishedAt: EpochMs | null;
    /** After a failure of the mail server, nothing is sent before this time. */
    notBefore: EpochMs;
  };
  /** The recipients of an issue who have not got it. The row of a sent mail is deleted. */
  newsletterDeliveries: {
    issueId: string;
    subscriberId: string;
    /** `sending` is stored before the mail leaves. */
    state: 'waiting' | 'sending' | 'refused' | 'unsure';
    attempts: number;
    notBefore: EpochMs;
    /** When the lease of `sending` ends. */
    heldUntil: EpochMs;
  };
  /** `record` is JSON. */
  wordMood: { uid: string; record: string };
  /** One row per list. Every change of a list updates its row first, which also serializes writers. */
  activityLists: {
    name: ListName;
    /** Grows by one with every change. It is the entity tag of the list document. */
    version: Generated<number>;
    /** At least the highest position in the list. The next new activity gets this position plus one. */
    lastPosition: Generated<number>;
  };
  activities: StoredActivity;
  /** Soft-deleted activities, until they expire. */
  deletedActivities: StoredActivity & {
    // `position` is 0 once the list has got a new order.
    /** The id of the activity that came before it in the list; null if it was the first one. */
    previousId: string | null;
    deletedAt: EpochMs;
    /** The user who deleted it; null for a command, a deleted account, and rows older than this column. */
    deletedBy: string | null;
  };
  /** The ids of all activities that were ever deleted, so that their old pages always say so. */
  goneActivities: { id: string; list: ListName };
  /** How often visitors used an activity in a month. Contains nothing about individual visitors. */
  practiceTotals: {
    /** No foreign key: the activity may be deleted. */
    activityId: string;
    /** The month in Brasília's time zone, such as `2026-11`. */
    month: string;
    opened: number;
    played: number;
    finished: number;
  };
  /** The activities that users keep. Only the user may read them. */
  favourites: {
    uid: string;
    /** No foreign key: the activity may be deleted, and restored. */
    activityId: string;
    createdAt: EpochMs;
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
    /** The size in bytes, including all versions of a picture. */
    storedBytes: number;
    sha256: string;
    /**
     * JSON: the size in bytes of each version of a picture, by the version's name
     * (storage/files/pictures.ts); empty for other files.
     */
    versions: string;
    /** Gives read access to the file. */
    token: string;
    width: number | null;
    height: number | null;
    createdAt: EpochMs;
  };
  /** Uploads. A finished one stays until it expires, for a client that did not receive the response. */
  uploads: {
    id: string;
    ownerId: string;
    path: string;
    key: string;
    /** What the file store needs to continue the upload; empty for the store on disk. */
    storeState: string;
    declaredType: string;
    sizeBytes: number;
    /** The durably stored bytes: tus's Upload-Offset. Below `sizeBytes` until the upload is finished. */
    offsetBytes: number;
    sha256: string | null;
    createdAt: EpochMs;
    expiresAt: EpochMs;
    finishedAt: EpochMs | null;
    /** The id of the request that has the lease; null after the release. The lease expires at `heldUntil`. */
    holder: string | null;
    heldUntil: Generated<EpochMs>;
    /** The time when another request last asked the holder to release the lease. */
    wantedAt: Generated<EpochMs>;
  };
  /**
   * The sum of `change` is the number of bytes that all files take and that unfinished uploads have reserved.
   * Triggers keep it up to date.
   */
  storageTally: { change: number };
  /** App-check tokens that are valid for all calls of one upload. */
  uploadProofs: { uploadId: string; proofId: string };
  /** One row. Every change of the site content updates this row first, which also serializes writers. */
  siteState: {
    id: number;
    /** The published version; 0 is the sample content. */
    version: number;
    /** Grows by one with every change of the draft or of the published version. */
    revision: number;
  };
  /** Published content. Rows are only added. */
  siteVersions: {
    version: number;
    /** JSON: SiteContent. */
    content: string;
    note: string;
    publishedAt: EpochMs;
    /** Null once that account is deleted. */
    publishedBy: string | null;
  };
  /** The sections of the draft that differ from the published version. */
  siteDrafts: {
    section: SectionName;
    /** JSON. */
    content: string;
    updatedAt: EpochMs;
    /** Null once that account is deleted. */
    updatedBy: string | null;
  };
  /** Contents that no row refers to, until they are removed from the file store. */
  discardedContents: { key: string; storeState: string };
  /** One row: what the database knows about its installation. */
  installation: {
    id: number;
    /** Where the contents of files are; null before the first file and the first move. */
    contents: ContentsPlace | null;
    /** Which place that is: the bucket, or on PostgreSQL the id of the data folder; null on SQLite. */
    folder: string | null;
    /** The id of the move that is filling this database; null once the move has closed the old place. */
    move: string | null;
  };
  /** For each migration, the oldest version of the program that can run on the tables after it. */
  oldestPrograms: { migration: string; version: string };
  /** The builds of the site that instances have used in the last month. The id is a hash of asset names. */
  releases: { id: string; seenAt: EpochMs };
  /** The assets of each release, for other releases that run on this database. */
  releaseAssets: {
    path: string;
    release: string;
    /** Base64. */
    content: string;
  };
  /** The servers that run on PostgreSQL. Each server renews its row; the row of a killed server grows old. */
  instances: { id: string; seenAt: EpochMs };
  /** The leases of jobs that only one process may run at a time. */
  leases: { name: 'backup'; holder: string; heldUntil: EpochMs };
  /** The backups of the last weeks, including failed ones. */
  backupRuns: {
    startedAt: EpochMs;
    /** Null while the backup runs, and if it failed. */
    finishedAt: EpochMs | null;
    /** The name of the snapshot; null until it is complete. */
    snapshot: string | null;
    /** The bytes that this backup added to the backup folder or bucket. */
    storedBytes: number;
    verifiedAt: EpochMs | null;
    /** The number of damaged parts that the last check has found; null until the backup is checked. */
    damagedParts: number | null;
    /** When this backup had deleted all backups past their retention time; null if any part is left. */
    oldDeletedAt: EpochMs | null;
    /** When a drill last restored this backup. */
    drilledAt: EpochMs | null;
  };
  /** The id of the folder or bucket of the backups. There is one row after the first backup. */
  backupPlace: { id: number; place: string };
  /** Keyed hashes of the ids of deleted accounts and newsletter subscriptions; stored with the backups. */
  deletedAccounts: { hash: string; storedAt: EpochMs | null };
  /** One row: the key of the hashes in `deletedAccounts`. Every backup contains the key. */
  deletedAccountsKey: { id: number; key: string };
};

/** Where the contents of files are: in the data folder or in a bucket. */
export type ContentsPlace = 'disk' | 's3';

type StoredActivity = Activity & {
  list: ListName;
  /** Ascending order within the list; gaps have no meaning. */
  position: number;
  /**
   * The user who saved the activity last. Null if a command saved it, or if that account no longer exists.
   * Only editors and admins may see this, so the public lists do not contain it.
   */
  updatedBy: string | null;
};

export type DatabaseKind = 'sqlite' | 'postgres';
export type Database = Kysely<Tables>;
