/*
 * These paths are apart from `authPaths`, because every visitor's browser loads the session, and can sign out
 * without loading more code.
 */
export const sessionPath = '/api/auth/get-session';
export const signOutPath = '/api/auth/sign-out';
