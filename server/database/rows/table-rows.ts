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

export type TableRows<Table> = {
  /** The folder of `server/` that queries the table. checks/tables.test.ts names what others may query. */
  feature: string;
  /** Columns that identify a row. */
  key: readonly (string & keyof Table)[];
  copiedBy: CopiedBy;
  columns: Readonly<Record<string & keyof Table, ColumnKind>>;
};

type SignInTable =
  | 'accounts'
  | 'twoFactors'
  | 'sessions'
  | 'verifications'
  | 'verificationLinks'
  | 'invitations'
  | 'passkeys'
  | 'emailChanges'
  | 'knownBrowsers'
  | 'firstAdminLinks';

/** The tables by which users sign in. They come after `users`. */
export const signInRows: { readonly [Name in SignInTable]: TableRows<Tables[Name]> } = {
  accounts: {
    feature: 'auth',
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
    feature: 'auth',
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
    feature: 'auth',
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
      strong: 'flag',
    },
  },
  verifications: {
    feature: 'auth',
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
    feature: 'auth',
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
  // Not in backups: a restore must not bring back an invitation that was used or withdrawn.
  invitations: {
    feature: 'auth',
    key: ['id'],
    copiedBy: 'moves',
    columns: {
      id: 'text',
      token: 'text',
      email: 'text',
      member: 'text',
      note: 'text',
      invitedBy: 'text',
      createdAt: 'number',
      expiresAt: 'number',
    },
  },
  passkeys: {
    feature: 'auth',
    key: ['id'],
    copiedBy: 'backups and moves',
    columns: {
      id: 'text',
      uid: 'text',
      credentialId: 'text',
      publicKey: 'text',
      counter: 'number',
      transports: 'text',
      name: 'text',
      createdAt: 'number',
      lastUsedAt: 'number',
    },
  },
  // Not in backups: a restore must not bring back a link that was used or withdrawn.
  emailChanges: {
    feature: 'auth',
    key: ['id'],
    copiedBy: 'moves',
    columns: {
      id: 'text',
      uid: 'text',
      oldEmail: 'text',
      newEmail: 'text',
      token: 'text',
      requestedAt: 'number',
      changedAt: 'number',
      expiresAt: 'number',
    },
  },
  knownBrowsers: {
    feature: 'auth',
    key: ['mark'],
    copiedBy: 'moves',
    columns: { mark: 'text', uid: 'text', signedInAt: 'number' },
  },
  firstAdminLinks: {
    feature: 'auth',
    key: ['id'],
    copiedBy: 'moves',
    columns: { id: 'text', seed: 'text', createdAt: 'number' },
  },
};
