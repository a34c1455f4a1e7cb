import type { Tables } from '../tables.ts';

/**
 * How a column's values are written as JSON: `flag` as true or false, `time` (Better Auth's times) as an ISO
 * string, `number` as a safe integer, `text` as a string, `json` as a string that is JSON.
 */
export type ColumnKind = 'flag' | 'time' | 'number' | 'text' | 'json';

/** The columns of a table, by name. */
export type Columns = Readonly<Record<string, ColumnKind>>;

/** The jobs that copy a table. Moves copy everything that backups copy. */
type CopiedBy = 'backups and moves' | 'moves' | 'nothing';

type TableRows<Table> = {
  /** Columns that identify a row. */
  key: readonly (string & keyof Table)[];
  copiedBy: CopiedBy;
  columns: Readonly<Record<string & keyof Table, ColumnKind>>;
};

const activityColumns = {
  id: 'text',
  list: 'text',
  position: 'number',
  axis: 'text',
  title: 'text',
  url: 'text',
  image: 'text',
  audio: 'text',
  content: 'text',
  createdAt: 'number',
  updatedAt: 'number',
  updatedBy: 'text',
  minutes: 'number',
  audioSeconds: 'number',
  night: 'text',
  visibility: 'text',
} as const;

/** All tables. A table comes after the tables that its rows refer to. */
export const tableRows: { readonly [Name in keyof Tables]: TableRows<Tables[Name]> } = {
  users: {
    key: ['id'],
    copiedBy: 'backups and moves',
    columns: {
      id: 'text',
      displayName: 'text',
      email: 'text',
      emailVerified: 'flag',
      profilePic: 'text',
      createdAt: 'time',
      updatedAt: 'time',
      member: 'text',
      staff: 'flag',
      research: 'flag',
      category: 'text',
      searchKey: 'text',
      twoFactorEnabled: 'flag',
      ownName: 'flag',
      ownPicture: 'flag',
    },
  },
  accounts: {
    key: ['id'],
    copiedBy: 'backups and moves',
    columns: {
      id: 'text',
      accountId: 'text',
      providerId: 'text',
      userId: 'text',
      accessToken: 'text',
      refreshToken: 'text',
      idToken: 'text',
      accessTokenExpiresAt: 'time',
      refreshTokenExpiresAt: 'time',
      scope: 'text',
      password: 'text',
      createdAt: 'time',
      updatedAt: 'time',
    },
  },
  twoFactors: {
    key: ['id'],
    copiedBy: 'backups and moves',
    columns: {
      id: 'text',
      userId: 'text',
      secret: 'text',
      backupCodes: 'text',
      verified: 'flag',
      failedVerificationCount: 'number',
      lockedUntil: 'time',
    },
  },
  sessions: {
    key: ['id'],
    copiedBy: 'moves',
    columns: {
      id: 'text',
      token: 'text',
      userId: 'text',
      expiresAt: 'time',
      ipAddress: 'text',
      userAgent: 'text',
      createdAt: 'time',
      updatedAt: 'time',
    },
  },
  verifications: {
    key: ['id'],
    copiedBy: 'moves',
    columns: {
      id: 'text',
      identifier: 'text',
      value: 'text',
      expiresAt: 'time',
      createdAt: 'time',
      updatedAt: 'time',
    },
  },
  verificationLinks: {
    key: ['token'],
    copiedBy: 'moves',
    columns: {
      token: 'text',
      email: 'text',
      browser: 'text',
      displayName: 'text',
      password: 'text',
      expiresAt: 'number',
    },
  },
  knownBrowsers: {
    key: ['mark'],
    copiedBy: 'moves',
    columns: { mark: 'text', uid: 'text', signedInAt: 'number' },
  },
  firstAdminLinks: {
    key: ['id'],
    copiedBy: 'moves',
    columns: { id: 'text', seed: 'text', createdAt: 'number' },
  },
  accessLog: {
    key: ['id'],
    copiedBy: 'backups and moves',
    columns: {
      id: 'text',
      at: 'number',
      subjectId: 'text',
      actorId: 'text',
      actorName: 'text',
      action: 'text',
      what: 'text',
    },
  },
  attempts: {
    key: ['key'],
    copiedBy: 'moves',
    columns: { key: 'text', count: 'number', endsAt: 'number' },
  },
  spentProofs: { key: ['id'], copiedBy: 'moves', columns: { id: 'text', expiresAt: 'number' } },
  newsletterSubscribers: {
    key: ['id'],
    copiedBy: 'backups and moves',
    columns: { id: 'text', email: 'text', consentedAt: 'number', confirmedAt: 'number', mailedAt: 'number' },
  },
  wordMood: { key: ['uid'], copiedBy: 'backups and moves', columns: { uid: 'text', record: 'json' } },
  activityLists: {
    key: ['name'],
    copiedBy: 'backups and moves',
    columns: { name: 'text', version: 'number', lastPosition: 'number' },
  },
  activities: { key: ['id'], copiedBy: 'backups and moves', columns: activityColumns },
  deletedActivities: {
    key: ['id'],
    copiedBy: 'backups and moves',
    columns: { ...activityColumns, previousId: 'text', deletedAt: 'number', deletedBy: 'text' },
  },
  goneActivities: { key: ['id'], copiedBy: 'backups and moves', columns: { id: 'text', list: 'text' } },
  practiceTotals: {
    key: ['month', 'activityId'],
    copiedBy: 'backups and moves',
    columns: { activityId: 'text', month: 'text', opened: 'number', played: 'number', finished: 'number' },
  },
  favourites: {
    key: ['uid', 'activityId'],
    copiedBy: 'backups and moves',
    columns: { uid: 'text', activityId: 'text', createdAt: 'number' },
  },
  files: {
    key: ['path'],
    copiedBy: 'backups and moves',
    columns: {
      path: 'text',
      key: 'text',
      ownerId: 'text',
      contentType: 'text',
      sizeBytes: 'number',
      storedBytes: 'number',
      sha256: 'text',
      versions: 'json',
      token: 'text',
      width: 'number',
      height: 'number',
      createdAt: 'number',
    },
  },
  // Uploads are not copied, because only the file store in which an upload began can continue it. Clients
  // begin unfinished uploads again.
  uploads: {
    key: ['id'],
    copiedBy: 'nothing',
    columns: {
      id: 'text',
      ownerId: 'text',
      path: 'text',
      key: 'text',
      storeState: 'text',
      declaredType: 'text',
      sizeBytes: 'number',
      offsetBytes: 'number',
      sha256: 'text',
      createdAt: 'number',
      expiresAt: 'number',
      finishedAt: 'number',
      holder: 'text',
      heldUntil: 'number',
      wantedAt: 'number',
    },
  },
  uploadProofs: {
    key: ['uploadId', 'proofId'],
    copiedBy: 'nothing',
    columns: { uploadId: 'text', proofId: 'text' },
  },
  siteState: {
    key: ['id'],
    copiedBy: 'backups and moves',
    columns: { id: 'number', version: 'number', revision: 'number' },
  },
  siteVersions: {
    key: ['version'],
    copiedBy: 'backups and moves',
    columns: { version: 'number', content: 'json', note: 'text', publishedAt: 'number', publishedBy: 'text' },
  },
  siteDrafts: {
    key: ['section'],
    copiedBy: 'backups and moves',
    columns: { section: 'text', content: 'json', updatedAt: 'number', updatedBy: 'text' },
  },
  discardedContents: { key: ['key'], copiedBy: 'moves', columns: { key: 'text', storeState: 'text' } },
  // Triggers fill these two tables.
  userTally: { key: [], copiedBy: 'nothing', columns: { change: 'number' } },
  storageTally: { key: [], copiedBy: 'nothing', columns: { change: 'number' } },
  installation: {
    key: ['id'],
    copiedBy: 'nothing',
    columns: { id: 'number', contents: 'text', move: 'text', folder: 'text' },
  },
  oldestPrograms: {
    key: ['migration'],
    copiedBy: 'nothing',
    columns: { migration: 'text', version: 'text' },
  },
  releases: { key: ['id'], copiedBy: 'nothing', columns: { id: 'text', seenAt: 'number' } },
  releaseAssets: {
    key: ['path', 'release'],
    copiedBy: 'nothing',
    columns: { path: 'text', release: 'text', content: 'text' },
  },
  instances: { key: ['id'], copiedBy: 'nothing', columns: { id: 'text', seenAt: 'number' } },
  leases: {
    key: ['name'],
    copiedBy: 'nothing',
    columns: { name: 'text', holder: 'text', heldUntil: 'number' },
  },
  backupRuns: {
    key: ['startedAt'],
    copiedBy: 'moves',
    columns: {
      startedAt: 'number',
      finishedAt: 'number',
      snapshot: 'text',
      storedBytes: 'number',
      verifiedAt: 'number',
      damagedParts: 'number',
      oldDeletedAt: 'number',
      drilledAt: 'number',
    },
  },
  // Backups leave this table out, because a restored installation may keep its backups in another place.
  backupPlace: { key: ['id'], copiedBy: 'moves', columns: { id: 'number', place: 'text' } },
  deletedAccounts: {
    key: ['hash'],
    copiedBy: 'backups and moves',
    columns: { hash: 'text', storedAt: 'number' },
  },
  deletedAccountsKey: { key: ['id'], copiedBy: 'backups and moves', columns: { id: 'number', key: 'text' } },
};

/** The names of the tables that a backup or a move copies, in the order in which rows can be inserted. */
export function copiedTables(by: 'backups' | 'moves'): (keyof Tables)[] {
  const names = Object.keys(tableRows) as (keyof Tables)[];
  return names.filter((name) => tableRows[name].copiedBy.includes(by));
}
