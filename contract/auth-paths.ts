import { sessionPath, signOutPath } from './session-paths.ts';

/** All paths of the sign-in service begin with this one. */
export const authRoot = '/api/auth';

/** The paths of the sign-in service. */
export const authPaths = {
  signUp: '/api/auth/sign-up/email',
  signIn: '/api/auth/sign-in/email',
  signOut: signOutPath,
  session: sessionPath,
  requestPasswordReset: '/api/auth/request-password-reset',
  resetPassword: '/api/auth/reset-password',
  verifyEmail: '/api/auth/verify-email',
  verificationLink: '/api/auth/verify-email/link',
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
  /** Redirects to Google, in a popup window or in the page itself. */
  google: '/api/auth/google',
  /** Starts a new sign-in with Google, by which a signed-in user confirms a request. */
  googleConfirm: '/api/auth/google?confirmar=1',
  googleCallback: '/api/auth/callback/google',
  /** Lists the available sign-in methods. */
  methods: '/api/auth/methods',
  appCheckChallenge: '/api/auth/app-check/challenge',
  appCheck: '/api/auth/app-check',
  /** Returns the bearer token for the file service. */
  storageBearer: '/api/auth/token',
} as const;
