import { authPaths } from './auth-paths.ts';
import type { ListName } from './axes.ts';
import type { SectionName } from './site/content.ts';
import { contentPath, contentRoute } from './site/content-path.ts';

/** The paths with parameters, as the server registers them. `paths` fills in the parameters. */
export const routes = {
  session: '/api/auth/sessions/:id',
  invitation: '/api/auth/invitations/:id',
  passkey: '/api/auth/passkeys/:id',
  deletePasskey: '/api/auth/passkeys/:id/delete',
  user: '/api/documents/users/:uid',
  wordMood: '/api/documents/wordMood/:uid',
  activities: '/api/documents/activities/:list',
  activityOrder: '/api/documents/activities/:list/order',
  activitySummaries: '/api/documents/activities/:list/summaries',
  deletedActivities: '/api/documents/activities/:list/deleted',
  activityItems: '/api/documents/activities/:list/items',
  activityItem: '/api/documents/activities/:list/items/:id',
  practicePage: '/api/documents/practice-pages/:id',
  favourite: '/api/documents/favourites/:id',
  issue: '/api/documents/newsletter/issues/:id',
  publicIssue: '/api/documents/newsletter/public-issues/:id',
  /** The form of the page and the one click of a mail program (RFC 8058) send a POST. */
  newsletterLeavePage: '/carta/sair/:token',
  reminderLeavePage: '/lembrete/sair/:token',
  diaryEntry: '/api/documents/diary/entries/:id',
  revokeShare: '/api/documents/diary/shares/:id/revoke',
  consultationNote: '/api/documents/diary/notes/:id',
  showNote: '/api/documents/diary/notes/:id/show',
  closeNote: '/api/documents/diary/notes/:id/close',
  clinician: '/api/documents/clinicians/:uid',
  sharedDiary: '/api/documents/shared-diaries/:uid',
  sharedEntries: '/api/documents/shared-diaries/:uid/entries',
  sharedNote: '/api/documents/shared-diaries/:uid/note',
  weekDay: '/api/documents/week/:id/days/:day',
  weekSkip: '/api/documents/week/:id/weeks/:monday',
  assignments: '/api/documents/patients/:uid/assignments',
  withdrawAssignment: '/api/documents/patients/:uid/assignments/:id/withdraw',
  activityRestore: '/api/documents/activities/:list/items/:id/restore',
  upload: '/api/storage/resumable/:uploadId',
  metadata: '/api/storage/metadata',
  downloadUrl: '/api/storage/download-url',
  file: '/files/*',
  siteContent: contentRoute,
  siteSection: '/api/site/draft/:section',
  siteVersion: '/api/site/versions/:version',
  siteRestore: '/api/site/versions/:version/restore',
  shareImage: '/share/:version.png',
  practiceImage: '/share/practices/:id.png',
} as const;

/**
 * A client sends this value in `Prefer` (RFC 7240) if the mood record may be missing. If it is missing, the
 * server then responds with 204 instead of 404, because browsers report a 404 as an error in their console.
 */
export const preferNoContent = 'handling=lenient';

/** Every path of the API. The client and the server share them. */
export const paths = {
  auth: {
    ...authPaths,
    openSession: (id: string) => fill(routes.session, { id }),
    invitation: (id: string) => fill(routes.invitation, { id }),
    passkey: (id: string) => fill(routes.passkey, { id }),
    deletePasskey: (id: string) => fill(routes.deletePasskey, { id }),
  },
  documents: {
    users: '/api/documents/users',
    /** Accepts the same filter and order as `users`. */
    usersCsv: '/api/documents/users.csv',
    user: (uid: string) => fill(routes.user, { uid }),
    wordMood: (uid: string) => fill(routes.wordMood, { uid }),
    activities: (list: ListName) => fill(routes.activities, { list }),
    /** GET requests to this path and the next one return a list in parts: `?part=0`, `?part=1` and so on. */
    activityOrder: (list: ListName) => fill(routes.activityOrder, { list }),
    activitySummaries: (list: ListName) => fill(routes.activitySummaries, { list }),
    activityItems: (list: ListName) => fill(routes.activityItems, { list }),
    activityItem: (list: ListName, id: string) => fill(routes.activityItem, { list, id }),
    deletedActivities: (list: ListName) => fill(routes.deletedActivities, { list }),
    activityRestore: (list: ListName, id: string) => fill(routes.activityRestore, { list, id }),
    /** Takes the parameters of the page /practices (`practicesQuery`). */
    practices: '/api/documents/practices',
    practicePage: (id: string) => fill(routes.practicePage, { id }),
    favourites: '/api/documents/favourites',
    favourite: (id: string) => fill(routes.favourite, { id }),
    diary: '/api/documents/diary',
    diaryPause: '/api/documents/diary/pause',
    /** The entries by day, newest first; `diaryEntries` has them by revision. */
    diaryDays: '/api/documents/diary/days',
    diaryChart: '/api/documents/diary/chart',
    diaryEntries: '/api/documents/diary/entries',
    diaryEntry: (id: string) => fill(routes.diaryEntry, { id }),
    diaryConsent: '/api/documents/diary/consent',
    diaryCsv: '/api/documents/diary.csv',
    /** `?from=2026-11-01&to=2026-11-27&parts=words,notes,practices`; each is optional. */
    diaryJson: '/api/documents/diary.json',
    diaryImport: '/api/documents/diary/import',
    diaryShares: '/api/documents/diary/shares',
    revokeShare: (id: string) => fill(routes.revokeShare, { id }),
    /** The access log: who has read what. */
    diaryReads: '/api/documents/diary/reads',
    consultationNotes: '/api/documents/diary/notes',
    consultationNote: (id: string) => fill(routes.consultationNote, { id }),
    /** Shows a note to its clinician. */
    showNote: (id: string) => fill(routes.showNote, { id }),
    closeNote: (id: string) => fill(routes.closeNote, { id }),
    reminder: '/api/documents/reminder',
    reminderTest: '/api/documents/reminder/test',
    clinicians: '/api/documents/clinicians',
    clinician: (uid: string) => fill(routes.clinician, { uid }),
    sharedDiaries: '/api/documents/shared-diaries',
    sharedDiary: (uid: string) => fill(routes.sharedDiary, { uid }),
    sharedEntries: (uid: string) => fill(routes.sharedEntries, { uid }),
    sharedNote: (uid: string) => fill(routes.sharedNote, { uid }),
    /** What clinicians have proposed to the caller. */
    week: '/api/documents/week',
    weekDay: (id: string, day: string) => fill(routes.weekDay, { id, day }),
    weekSkip: (id: string, monday: string) => fill(routes.weekSkip, { id, monday }),
    /** What the calling clinician has proposed to a patient. */
    assignments: (uid: string) => fill(routes.assignments, { uid }),
    withdrawAssignment: (uid: string, id: string) => fill(routes.withdrawAssignment, { uid, id }),
    nightPractices: '/api/documents/night-practices',
    accountExport: '/api/documents/account-export',
    latestActivities: '/api/documents/latest-activities',
    counts: '/api/documents/counts',
    /** The state of the backups and of the disk. */
    operation: '/api/documents/operation',
    newsletter: '/api/documents/newsletter',
    newsletterConfirm: '/api/documents/newsletter/confirm',
    newsletterLeave: '/api/documents/newsletter/leave',
    issues: '/api/documents/newsletter/issues',
    issue: (id: string) => fill(routes.issue, { id }),
    issueTask: (id: string, task: 'test' | 'send' | 'pause' | 'resume' | 'mail') =>
      `${fill(routes.issue, { id })}/${task}`,
    publicIssue: (id: string) => fill(routes.publicIssue, { id }),
    newsletterCsv: '/api/documents/newsletter.csv',
    practiceEvents: '/api/documents/practice-events',
    /** `?month=2026-11`; without a month, the current one. */
    practiceTotals: '/api/documents/practice-totals',
  },
  site: {
    content: contentPath,
    draft: '/api/site/draft',
    section: (section: SectionName) => fill(routes.siteSection, { section }),
    preview: '/api/site/preview',
    publish: '/api/site/publish',
    versions: '/api/site/versions',
    version: (version: number) => fill(routes.siteVersion, { version: String(version) }),
    /** The image that chats and social networks show next to a link to the site. */
    shareImage: (version: number) => fill(routes.shareImage, { version: String(version) }),
    /** The image for the page of a practice; its URL changes when the practice changes. */
    practiceImage: ({ id, updatedAt }: { id: string; updatedAt: number }) =>
      `${fill(routes.practiceImage, { id })}?v=${updatedAt}`,
    restore: (version: number) => fill(routes.siteRestore, { version: String(version) }),
  },
  storage: {
    /** One multipart request: parts `metadata` (JSON) and `file`. */
    objects: '/api/storage/objects',
    /** tus 1.0: POST starts an upload and responds with its URL; HEAD, PATCH and DELETE use that URL. */
    resumable: '/api/storage/resumable',
    upload: (uploadId: string) => fill(routes.upload, { uploadId }),
    object: (path: string) => `/api/storage/objects?path=${encodeURIComponent(path)}`,
    metadata: (path: string) => `${routes.metadata}?path=${encodeURIComponent(path)}`,
    downloadUrl: (path: string) => `${routes.downloadUrl}?path=${encodeURIComponent(path)}`,
    file: (path: string, token: string) => `/files/${path}?token=${encodeURIComponent(token)}`,
  },
} as const;

function fill(route: string, parameters: Record<string, string>): string {
  return route.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));
}
