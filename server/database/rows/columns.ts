import type { Tables } from '../tables.ts';
import type { TableRows } from './column-kinds.ts';
import { signInTables } from './sign-in-columns.ts';

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
  needs: 'text',
  visibility: 'text',
} as const;

/** All tables. A table comes after the tables that its rows refer to. */
export const tableRows: { readonly [Name in keyof Tables]: TableRows<Tables[Name]> } = {
  ...signInTables,
  newsletterSubscribers: {
    feature: 'newsletter',
    key: ['id'],
    copiedBy: 'backups and moves',
    columns: { id: 'text', email: 'text', consentedAt: 'number', confirmedAt: 'number', mailedAt: 'number' },
  },
  newsletterIssues: {
    feature: 'newsletter',
    key: ['id'],
    copiedBy: 'backups and moves',
    columns: {
      id: 'text',
      subject: 'text',
      text: 'text',
      indexed: 'number',
      state: 'text',
      problem: 'text',
      revision: 'number',
      recipients: 'number',
      sent: 'number',
      updatedAt: 'number',
      startedAt: 'number',
      finishedAt: 'number',
      notBefore: 'number',
    },
  },
  // Not in backups: a restore must not send a mail again.
  newsletterDeliveries: {
    feature: 'newsletter',
    key: ['issueId', 'subscriberId'],
    copiedBy: 'moves',
    columns: {
      issueId: 'text',
      subscriberId: 'text',
      state: 'text',
      attempts: 'number',
      notBefore: 'number',
      heldUntil: 'number',
    },
  },
  wordMood: {
    feature: 'users',
    key: ['uid'],
    copiedBy: 'backups and moves',
    columns: { uid: 'text', record: 'json' },
  },
  activityLists: {
    feature: 'library',
    key: ['name'],
    copiedBy: 'backups and moves',
    columns: { name: 'text', version: 'number', lastPosition: 'number' },
  },
  activities: { feature: 'library', key: ['id'], copiedBy: 'backups and moves', columns: activityColumns },
  deletedActivities: {
    feature: 'library',
    key: ['id'],
    copiedBy: 'backups and moves',
    columns: { ...activityColumns, previousId: 'text', deletedAt: 'number', deletedBy: 'text' },
  },
  goneActivities: {
    feature: 'library',
    key: ['id'],
    copiedBy: 'backups and moves',
    columns: { id: 'text', list: 'text' },
  },
  practiceTotals: {
    feature: 'practice-totals',
    key: ['month', 'activityId'],
    copiedBy: 'backups and moves',
    columns: { activityId: 'text', month: 'text', opened: 'number', played: 'number', finished: 'number' },
  },
  favourites: {
    feature: 'favourites',
    key: ['uid', 'activityId'],
    copiedBy: 'backups and moves',
    columns: { uid: 'text', activityId: 'text', createdAt: 'number' },
  },
  files: {
    feature: 'storage',
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
    feature: 'storage',
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
    feature: 'auth',
    key: ['uploadId', 'proofId'],
    copiedBy: 'nothing',
    columns: { uploadId: 'text', proofId: 'text' },
  },
  siteState: {
    feature: 'site',
    key: ['id'],
    copiedBy: 'backups and moves',
    columns: { id: 'number', version: 'number', revision: 'number' },
  },
  siteVersions: {
    feature: 'site',
    key: ['version'],
    copiedBy: 'backups and moves',
    columns: { version: 'number', content: 'json', note: 'text', publishedAt: 'number', publishedBy: 'text' },
  },
  siteDrafts: {
    feature: 'site',
    key: ['section'],
    copiedBy: 'backups and moves',
    columns: { section: 'text', content: 'json', updatedAt: 'number', updatedBy: 'text' },
  },
  discardedContents: {
    feature: 'storage',
    key: ['key'],
    copiedBy: 'moves',
    columns: { key: 'text', storeState: 'text' },
  },
  // Triggers fill these two tables.
  userTally: { feature: 'users', key: [], copiedBy: 'nothing', columns: { change: 'number' } },
  storageTally: { feature: 'storage', key: [], copiedBy: 'nothing', columns: { change: 'number' } },
  installation: {
    feature: 'database',
    key: ['id'],
    copiedBy: 'nothing',
    columns: { id: 'number', contents: 'text', move: 'text', folder: 'text' },
  },
  oldestPrograms: {
    feature: 'database',
    key: ['migration'],
    copiedBy: 'nothing',
    columns: { migration: 'text', version: 'text' },
  },
  releases: { feature: 'site', key: ['id'], copiedBy: 'nothing', columns: { id: 'text', seenAt: 'number' } },
  releaseAssets: {
    feature: 'site',
    key: ['path', 'release'],
    copiedBy: 'nothing',
    columns: { path: 'text', release: 'text', content: 'text' },
  },
  instances: {
    feature: 'database',
    key: ['id'],
    copiedBy: 'nothing',
    columns: { id: 'text', seenAt: 'number' },
  },
  leases: {
    feature: 'database',
    key: ['name'],
    copiedBy: 'nothing',
    columns: { name: 'text', holder: 'text', heldUntil: 'number' },
  },
  backupRuns: {
    feature: 'backup',
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
  backupPlace: {
    feature: 'backup',
    key: ['id'],
    copiedBy: 'moves',
    columns: { id: 'number', place: 'text' },
  },
  deletedAccounts: {
    feature: 'backup',
    key: ['hash'],
    copiedBy: 'backups and moves',
    columns: { hash: 'text', storedAt: 'number' },
  },
  deletedAccountsKey: {
    feature: 'backup',
    key: ['id'],
    copiedBy: 'backups and moves',
    columns: { id: 'number', key: 'text' },
  },
};

/** The names of the tables that a backup or a move copies, in the order in which rows can be inserted. */
export function copiedTables(by: 'backups' | 'moves'): (keyof Tables)[] {
  const names = Object.keys(tableRows) as (keyof Tables)[];
  return names.filter((name) => tableRows[name].copiedBy.includes(by));
}
