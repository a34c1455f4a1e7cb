/*
 * These paths are not in auth-paths.ts, because the initial code of every page uses them to find the session
 * and to sign out, and must stay small.
 */
export const sessionPath = '/api/auth/get-session';
export const signOutPath = '/api/auth/sign-out';
