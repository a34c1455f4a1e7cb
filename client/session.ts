import { sessionPath, signOutPath } from '#contract/auth-paths.ts';
import type { SessionInfo } from '#contract/user.ts';
import type { Send } from './http.ts';
import { loadSchemas } from './schemas.ts';

/** The one call that a visitor's browser makes by itself. */
export const createFindSession = (send: Send) =>
  /** Who is signed in; `undefined` when nobody is. */
  async function findSession(signal?: AbortSignal): Promise<SessionInfo | undefined> {
    const body: unknown = await (await send(sessionPath, { signal })).json();
    return body === null ? undefined : readSession(body);
  };

/** At hand from the beginning, so that signing out needs no other code. */
export const createSignOut = (send: Send) =>
  /** Does nothing, without an error, when nobody is signed in. */
  async function signOut(signal?: AbortSignal): Promise<void> {
    await send(signOutPath, { method: 'POST', body: {}, signal });
  };

/** Checks what the server says of a session. */
export async function readSession(body: unknown): Promise<SessionInfo> {
  const { sessionInfo } = await loadSchemas();
  return sessionInfo.parse(body);
}
