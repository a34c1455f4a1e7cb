import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The account that read or changed the data: its name alone can be changed by its owner. It refers to no row, because
 * the entry outlives the account. Entries from before have none.
 */
export const accessLogActor: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('accessLog').addColumn('actorId', 'text').execute();
  },
};
