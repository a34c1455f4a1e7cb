/** All paths of the sign-in service begin with this one. */
export const authRoot = '/api/auth';

/** The paths of the sign-in service. */
export const authPaths = {
  signUp: '/api/auth/sign-up/email',
  signIn: '/api/auth/sign-in/email',
  signOut: '/api/auth/sign-out',
  session: '/api/auth/get-session',
  requestPasswordReset: '/api/auth/request-password-reset',
  resetPassword: '/api/auth/reset-password',
  verifyEmail: '/api/auth/verify-email',
  verificationLink: '/api/auth/verify-email/link',
  sendVerificationEmail: '/api/auth/send-verification-email',
  firstAdmin: '/api/auth/first-admin',
  invitations: '/api/auth/invitations',
  invitationLink: '/api/auth/invitations/link',
  acceptInvitation: '/api/auth/invitations/accept',
  sessions: '/api/auth/sessions',
  endOtherSessions: '/api/auth/sessions/end-others',
  changePassword: '/api/auth/change-password',
  deleteAccount: '/api/auth/delete-account',
  /** POST requests a change of the email address, DELETE withdraws it. */
  emailChange: '/api/auth/email-change',
  confirmEmailChange: '/api/auth/email-change/confirm',
  takeEmailBack: '/api/auth/email-change/take-back',
  passkeys: '/api/auth/passkeys',
  /** Returns a challenge for a sign-in or, with a session, for a proof. */
  passkeyChallenge: '/api/auth/passkeys/challenge',
  passkeySignIn: '/api/auth/passkeys/sign-in',
  beginPasskey: '/api/auth/passkeys/begin',
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

/** The page on which a sign-in with Google ends. */
export const googleLandingPath = '/entrar-com-google';

/** Why a sign-in with Google failed: a value of the landing page's search parameter `erro`. */
export type GoogleProblem =
  | 'cancelado'
  | 'segundo-fator'
  | 'outra-conta'
  | 'outra-pessoa'
  | 'email-nao-confirmado'
  | 'falhou';
