import { authPaths } from './auth-paths.ts';
import type { ListName } from './axes.ts';

const part = encodeURIComponent;

/** Every address of the API. The client and the server's tests share them. */
export const paths = {
  auth: authPaths,
  documents: {
    users: '/api/documents/users',
    /** Accepts the same selection as `users`. */
    usersCsv: '/api/documents/users.csv',
    user: (uid: string) => `/api/documents/users/${part(uid)}`,
    wordMood: (uid: string) => `/api/documents/wordMood/${part(uid)}`,
    activities: (list: ListName) => `/api/documents/activities/${list}`,
    /** Both return a list in parts: `?part=0`, `?part=1` and so on. */
    activitySummaries: (list: ListName) => `/api/documents/activities/${list}/summaries`,
    activityItems: (list: ListName) => `/api/documents/activities/${list}/items`,
    activityItem: (list: ListName, id: string) => `/api/documents/activities/${list}/items/${part(id)}`,
    activityRestore: (list: ListName, id: string) =>
      `/api/documents/activities/${list}/items/${part(id)}/restore`,
    accountExport: '/api/documents/account-export',
    latestActivities: '/api/documents/latest-activities',
    counts: '/api/documents/counts',
    newsletter: '/api/documents/newsletter',
    newsletterConfirm: '/api/documents/newsletter/confirm',
    newsletterLeave: '/api/documents/newsletter/leave',
    newsletterCsv: '/api/documents/newsletter.csv',
  },
  storage: {
    /** One multipart request: parts `metadata` (JSON) and `file`. */
    objects: '/api/storage/objects',
    /** tus 1.0: POST starts an upload and answers its address; HEAD, PATCH and DELETE use that address. */
    resumable: '/api/storage/resumable',
    upload: (id: string) => `/api/storage/resumable/${part(id)}`,
    object: (path: string) => `/api/storage/objects?path=${part(path)}`,
    metadata: (path: string) => `/api/storage/metadata?path=${part(path)}`,
    downloadUrl: (path: string) => `/api/storage/download-url?path=${part(path)}`,
    file: (path: string, token: string) => `/files/${path}?token=${part(token)}`,
  },
} as const;
