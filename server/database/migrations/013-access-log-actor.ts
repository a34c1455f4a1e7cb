import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The account that read or changed the data, because its owner can change its name. It is not a foreign key,
 * because the entry outlives the account. Older entries have none.
 */
export const accessLogActor: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('accessLog').addColumn('actorId', 'text').execute();
  },
};
