import type { StorageBearerResponse } from '#contract/storage.ts';
import type { AppContext } from '#server/context.ts';
import { createSignedTokens } from '#server/http/tokens.ts';
import { findSessionRow, type Session } from './session.ts';

export type StorageBearer = ReturnType<typeof createStorageBearer>;

const bearerMs = 5 * 60_000;

type BearerContent = { sessionId: string; uid: string; expiresAt: number };

/**
 * Creates the bearer tokens of the file service. A token names a session, expires within five minutes, and is
 * invalid once that session has ended, so uploads stop at sign-out.
 */
export function createStorageBearer({ database, authSecret, environment: { fileLimits } }: AppContext) {
  const tokens = createSignedTokens<BearerContent>(authSecret, 'storage bearer');
  return {
    issue({ id, uid, expiresAt: sessionEnd }: Session): StorageBearerResponse {
      const expiresAt = Math.min(Date.now() + bearerMs, sessionEnd);
      const sizeLimits = {
        image: fileLimits.imageBytes,
        audio: fileLimits.audioBytes,
        'profile-picture': fileLimits.profilePictureBytes,
      };
      return { token: tokens.write({ sessionId: id, uid, expiresAt }), expiresAt, sizeLimits };
    },

    /** Returns the open session that an `Authorization` header names; `undefined` if it names none. */
    async findSession(authorization: string): Promise<Session | undefined> {
      const [, token = ''] = /^Bearer ([\w.-]+)$/i.exec(authorization) ?? [];
      const content = tokens.read(token);
      if (!content || content.expiresAt <= Date.now()) return undefined;
      return findSessionRow(database, { id: content.sessionId, uid: content.uid });
    },
  };
}
