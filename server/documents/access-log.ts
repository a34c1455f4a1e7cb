import { randomUUID } from 'node:crypto';
import type { Database } from '../database/connect.ts';

/**
 * Notes that `actorId` read or changed the data of other people; what people do with their own is not noted.
 * @param what `users`, `wordMood`, or the names of the changed fields
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
  const others = subjectIds.filter((id) => id !== actorId);
  if (others.length === 0) return;
  const { displayName: actorName } = await database
    .selectFrom('users')
    .select('displayName')
    .where('id', '=', actorId)
    .executeTakeFirstOrThrow();
  const at = Date.now();
  // Ids that begin with the time go to the end of their index; random ones would go all over it.
  const rows = others.map((subjectId) => ({
    id: `${at}-${randomUUID()}`,
    at,
    subjectId,
    actorName,
    action,
    what,
  }));
  await database.insertInto('accessLog').values(rows).execute();
}
