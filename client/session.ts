import { sessionPath, signOutPath } from '#contract/session-paths.ts';
import type { SessionInfo } from '#contract/user.ts';
import type { Send } from './http.ts';
import { loadSchemas } from './schemas.ts';

/** `findSession` is part of the initial code and not of auth.ts, because every visitor's browser calls it. */
export const createFindSession = (send: Send) =>
  /** Finds the session of this browser; `undefined` when no user is signed in. */
  async function findSession(signal?: AbortSignal): Promise<SessionInfo | undefined> {
    const body: unknown = await (await send(sessionPath, { signal })).json();
    return body === null ? undefined : readSession(body);
  };

/** `signOut` is part of the initial code, so that signing out does not need to load more code. */
export const createSignOut = (send: Send) =>
  /** Signs out. Without a session, does nothing and throws no error. */
  async function signOut(signal?: AbortSignal): Promise<void> {
    await send(signOutPath, { method: 'POST', body: {}, signal });
  };

/** Parses a session from the server. */
export async function readSession(body: unknown): Promise<SessionInfo> {
  const { sessionInfo } = await loadSchemas();
  return sessionInfo.parse(body);
}
