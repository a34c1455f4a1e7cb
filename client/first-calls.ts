import { authPaths } from '#contract/auth-paths.ts';
import type { SiteContent } from '#contract/site/content.ts';
import { contentPath } from '#contract/site/content-path.ts';
import type { SessionInfo } from '#contract/user.ts';
import type { Send } from './http.ts';

/**
 * `findSession` is part of the initial code and not of auth.ts, because every visitor's browser calls it.
 * @param read parses a session
 */
export const createFindSession = (send: Send, read: (body: unknown) => SessionInfo | Promise<SessionInfo>) =>
  /** Finds the session of this browser; `undefined` when no user is signed in. */
  async function findSession(signal?: AbortSignal): Promise<SessionInfo | undefined> {
    const body: unknown = await (await send(authPaths.session, { signal })).json();
    return body === null ? undefined : read(body);
  };

/** `signOut` is part of the initial code, so that signing out does not need to load more code. */
export const createSignOut = (send: Send) =>
  /** Signs out. Without a session, does nothing and throws no error. */
  async function signOut(signal?: AbortSignal): Promise<void> {
    await send(authPaths.signOut, { method: 'POST', body: {}, signal });
  };

/**
 * Creates a function that reads the published site content. The function has the parameters of `contentPath`;
 * without them, it reads the newest version. It does not check the content, because the server has done so.
 */
export function createGetContent(send: Send) {
  return async (...version: Parameters<typeof contentPath>): Promise<SiteContent> => {
    const response = await send(contentPath(...version));
    return ((await response.json()) as { content: SiteContent }).content;
  };
}
