import { listOf } from '#contract/axes.ts';
import type { Database } from '#server/database/connect.ts';

/** An activity's text of about 1.5 kB. */
export const content = 'Note o ar que entra e o ar que sai. Não é preciso mudar nada. '.repeat(22);

const rowsPerInsert = 500;

/** Adds `count` activities to the mind list, by default of about 1.5 kB. */
export async function fillActivities(database: Database, count: number, text = content): Promise<void> {
  const now = Date.now();
  const rows = Array.from({ length: count }, (_, index) => ({
    id: `medida-${index}`,
    list: listOf('mind'),
    position: index + 1,
    axis: 'mind' as const,
    title: `Prática número ${index}`,
    url: 'https://www.youtube.com/watch?v=abcdefghijk',
    image: '',
    audio: '',
    night: '' as const,
    visibility: 'public' as const,
    content: text,
    createdAt: now,
    updatedAt: now,
  }));
  for (let start = 0; start < rows.length; start += rowsPerInsert)
    await database
      .insertInto('activities')
      .values(rows.slice(start, start + rowsPerInsert))
      .execute();
  await database
    .updateTable('activityLists')
    .set({ version: 1, lastPosition: count })
    .where('name', '=', listOf('mind'))
    .execute();
}
