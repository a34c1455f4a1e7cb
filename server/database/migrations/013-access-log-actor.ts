import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Adds the id of the admin who read or changed the data, because names can change. The column is not a
 * foreign key, because the entry outlives the admin's account. It is null in older entries.
 */
export const accessLogActor: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('accessLog').addColumn('actorId', 'text').execute();
  },
};
