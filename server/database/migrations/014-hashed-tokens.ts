import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

type AuthTables = {
  sessions: { id: string; token: string };
  verifications: { id: string; identifier: string };
};

/**
 * Replaces the tokens of sessions and verifications with their hashes. Open sessions and mailed links stay
 * valid. Removes Google's tokens, which the server never uses.
 */
export const hashedTokens: Migration = {
  async up(db: Kysely<AuthTables>) {
    for (const { id, token } of await db.selectFrom('sessions').select(['id', 'token']).execute())
      await db
        .updateTable('sessions')
        .set({ token: hashOf(token) })
        .where('id', '=', id)
        .execute();
    const verifications = await db.selectFrom('verifications').select(['id', 'identifier']).execute();
    for (const { id, identifier: plain } of verifications) {
      const [purpose = ''] = /^[a-z-]+:/.exec(plain) ?? [];
      const identifier = purpose + hashOf(plain);
      await db.updateTable('verifications').set({ identifier }).where('id', '=', id).execute();
    }
    const unused = [
      'accessToken',
      'refreshToken',
      'idToken',
      'accessTokenExpiresAt',
      'refreshTokenExpiresAt',
    ];
    const cleared = sql.join(unused.map((column) => sql`${sql.ref(column)} = null`));
    await sql`update ${sql.table('accounts')} set ${cleared}`.execute(db);
  },
};

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url');
