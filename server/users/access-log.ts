import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../database/connect.ts';

/**
 * Logs that `actorId` read or changed the data of other users. It does not log users' access to their own
 * data, nor requests about users who do not exist. Await this function before the response begins.
 * @param what `users`, `wordMood`, `profilePic`, `invitations`, `clinician`, the name of an export, or the
 * names of the changed fields
 */
export async function noteAccess(
  database: Database,
  {
    actorId,
    subjectIds,
    action,
    what,
  }: { actorId: string; subjectIds: string[]; action: 'read' | 'change'; what: string },
): Promise<void> {
  const others = [...new Set(subjectIds)].filter((id) => id !== actorId);
  if (others.length === 0) return;
  const { displayName: actorName } = await database
    .selectFrom('users')
    .select('displayName')
    .where('id', '=', actorId)
    .executeTakeFirstOrThrow();
  const at = Date.now();
  // Ids begin with the time, so new ones go to the end of the index. Random ids would spread over all of it.
  const idStart = `${at}-${randomUUID()}-`;
  // PostgreSQL cannot infer the types of parameters in a select list, so each has a cast.
  await sql`
    insert into "accessLog" (id, at, "subjectId", "actorId", "actorName", action, what)
    select ${idStart} || users.id, cast(${at} as bigint), users.id, cast(${actorId} as text),
      cast(${actorName} as text), cast(${action} as text), cast(${what} as text)
    from users where users.id in (${sql.join(others)})`.execute(database);
}
