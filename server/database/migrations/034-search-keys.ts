import { sql } from 'kysely';
import { foldForSearch } from '#contract/text.ts';
import type { ReleasedMigration } from './released-migration.ts';

const batchSize = 1_000;

/** Writes the search keys of users anew, with one kind of apostrophe and of dash. */
export const searchKeys: ReleasedMigration = {
  since: '0.2.0',
  oldestProgram: '0.2.0',
  async up(db) {
    let last = '';
    for (;;) {
      const { rows } = await sql<{ id: string; displayName: string; email: string; searchKey: string }>`
        select id, "displayName", email, "searchKey" from users where id > ${last}
        order by id limit ${batchSize}`.execute(db);
      for (const { id, displayName, email, searchKey } of rows) {
        const key = foldForSearch(`${displayName} ${email}`);
        if (key !== searchKey) await sql`update users set "searchKey" = ${key} where id = ${id}`.execute(db);
      }
      const end = rows.at(-1);
      if (end === undefined) return;
      last = end.id;
    }
  },
};
