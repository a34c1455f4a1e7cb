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
  const rows = others.map((subjectId) => ({ id: randomUUID(), at, subjectId, actorName, action, what }));
  await database.insertInto('accessLog').values(rows).execute();
}
