/*
 * Every visitor's browser loads the session, and can sign out without loading more code. So these paths are apart
 * from `authPaths`.
 */
export const sessionPath = '/api/auth/get-session';
export const signOutPath = '/api/auth/sign-out';
