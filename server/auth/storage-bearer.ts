import type { StorageBearerAnswer } from '#contract/storage.ts';
import type { AppContext } from '../context.ts';
import type { Session } from './auth.ts';
import { createSignedTokens } from './signed-tokens.ts';

export type StorageBearer = ReturnType<typeof createStorageBearer>;

const bearerMs = 5 * 60_000;

type BearerContent = { sessionId: string; uid: string; expiresAt: number };

/**
 * The bearer of the file service. It names a session, is good for five minutes, and is worth nothing once that
 * session has ended: whoever signs out cannot upload any more.
 */
export function createStorageBearer({ database, authSecret, environment: { fileLimits } }: AppContext) {
  const tokens = createSignedTokens<BearerContent>(authSecret, 'storage bearer');
  return {
    issue({ id, uid, expiresAt: sessionEnd }: Session): StorageBearerAnswer {
      const expiresAt = Math.min(Date.now() + bearerMs, sessionEnd);
      const sizeLimits = {
        image: fileLimits.imageBytes,
        audio: fileLimits.audioBytes,
        'profile-picture': fileLimits.profilePictureBytes,
      };
      return { token: tokens.write({ sessionId: id, uid, expiresAt }), expiresAt, sizeLimits };
    },

    /** The open session that an `Authorization` header names; `undefined` when it names none. */
    async findSession(authorization: string): Promise<Session | undefined> {
      const [, token = ''] = /^Bearer ([\w.-]+)$/i.exec(authorization) ?? [];
      const content = tokens.read(token);
      if (!content || content.expiresAt <= Date.now()) return undefined;
      const row = await database
        .selectFrom('sessions')
        .innerJoin('users', 'users.id', 'sessions.userId')
        .select([
          'sessions.expiresAt',
          'sessions.createdAt',
          'email',
          'emailVerified',
          'twoFactorEnabled',
          'member',
        ])
        .where('sessions.id', '=', content.sessionId)
        .where('users.id', '=', content.uid)
        .executeTakeFirst();
      if (!row || epochMs(row.expiresAt) <= Date.now()) return undefined;
      return {
        id: content.sessionId,
        uid: content.uid,
        email: row.email,
        emailVerified: Boolean(row.emailVerified),
        secondFactor: Boolean(row.twoFactorEnabled),
        member: row.member,
        startedAt: epochMs(row.createdAt),
        expiresAt: epochMs(row.expiresAt),
      };
    },
  };
}

/** Better Auth's times: text in SQLite, a Date from PostgreSQL. */
function epochMs(time: unknown): number {
  return new Date(time as string | Date).getTime();
}
