import type { AccountExport, OpenSession } from '#contract/account.ts';
import type { Database } from '../database/connect.ts';
import { epochMs } from '../database/epoch-ms.ts';
import { getUser } from '../users/users.ts';

/** Returns all stored data of a user (LGPD art. 18: access and portability). */
export async function exportAccount(
  database: Database,
  uid: string,
  sessions: OpenSession[],
): Promise<AccountExport> {
  const user = await getUser(database, uid);
  const account = await database
    .selectFrom('users')
    .select(['emailVerified', 'createdAt'])
    .where('id', '=', uid)
    .executeTakeFirstOrThrow();
  const methods = await database
    .selectFrom('accounts')
    .select(['providerId', 'createdAt'])
    .where('userId', '=', uid)
    .execute();
  const mood = await database
    .selectFrom('wordMood')
    .select('record')
    .where('uid', '=', uid)
    .executeTakeFirst();
  const letter = await database
    .selectFrom('newsletterSubscribers')
    .select(['consentedAt', 'confirmedAt'])
    .where('email', '=', user.email)
    .executeTakeFirst();
  const accessLog = await database
    .selectFrom('accessLog')
    .select(['at', 'actorName as by', 'actorId as byId', 'action', 'what'])
    .where('subjectId', '=', uid)
    .orderBy('at')
    .execute();
  const files = await database
    .selectFrom('files')
    .select(['path', 'contentType', 'sizeBytes', 'createdAt'])
    .where('ownerId', '=', uid)
    .orderBy('createdAt')
    .execute();
  const [live, deleted] = await Promise.all(
    (['activities', 'deletedActivities'] as const).map((table) =>
      database
        .selectFrom(table)
        .select(['id', 'title', 'updatedAt as savedAt'])
        .where('updatedBy', '=', uid)
        .orderBy('updatedAt')
        .execute(),
    ),
  );
  return {
    exportedAt: Date.now(),
    user,
    emailVerified: Boolean(account.emailVerified),
    createdAt: epochMs(account.createdAt),
    signInMethods: methods.map(({ providerId, createdAt }) => ({
      provider: providerId,
      since: epochMs(createdAt),
    })),
    sessions,
    wordMood: mood ? (JSON.parse(mood.record) as Record<string, unknown>) : false,
    newsletter: letter ?? false,
    accessLog,
    savedActivities: [...(live ?? []), ...(deleted ?? [])],
    files,
  };
}
