import type { ListName } from './axes.ts';

const part = encodeURIComponent;

/** Every address of the API, once: the client calls these, the server's tests know them. */
export const paths = {
  auth: {
    signUp: '/api/auth/sign-up/email',
    signIn: '/api/auth/sign-in/email',
    signOut: '/api/auth/sign-out',
    session: '/api/auth/get-session',
    requestPasswordReset: '/api/auth/request-password-reset',
    resetPassword: '/api/auth/reset-password',
    verifyEmail: '/api/auth/verify-email',
    sendVerificationEmail: '/api/auth/send-verification-email',
    firstAdmin: '/api/auth/first-admin',
    sessions: '/api/auth/sessions',
    endOtherSessions: '/api/auth/sessions/end-others',
    changePassword: '/api/auth/change-password',
    deleteAccount: '/api/auth/delete-account',
    secondFactorEnable: '/api/auth/second-factor/enable',
    secondFactorConfirm: '/api/auth/second-factor/confirm',
    secondFactorDisable: '/api/auth/second-factor/disable',
    secondFactorVerify: '/api/auth/second-factor/verify',
    /** Leads to Google, in a popup or in the page itself. */
    google: '/api/auth/google',
    googleCallback: '/api/auth/callback/google',
    /** Which ways to sign in there are. */
    methods: '/api/auth/methods',
    appCheckChallenge: '/api/auth/app-check/challenge',
    appCheck: '/api/auth/app-check',
    /** The bearer of the file service. */
    storageBearer: '/api/auth/token',
  },
  documents: {
    users: '/api/documents/users',
    user: (uid: string) => `/api/documents/users/${part(uid)}`,
    wordMood: (uid: string) => `/api/documents/wordMood/${part(uid)}`,
    activities: (list: ListName) => `/api/documents/activities/${list}`,
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
    /** tus 1.0: POST starts; HEAD, PATCH and DELETE go to the address that the start answers. */
    resumable: '/api/storage/resumable',
    object: (path: string) => `/api/storage/objects?path=${part(path)}`,
    metadata: (path: string) => `/api/storage/metadata?path=${part(path)}`,
    downloadUrl: (path: string) => `/api/storage/download-url?path=${part(path)}`,
  },
} as const;
