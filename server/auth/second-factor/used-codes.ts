import { createHmac } from 'node:crypto';
import type { AppContext } from '#server/context.ts';
import { AppError } from '#server/http/errors.ts';

/** Longer than any code is valid: 90 s, which are its own 30 s and the 30 s before and after them. */
const keptMs = 3 * 60_000;

/**
 * Makes each code of an authenticator valid once for each account (RFC 6238, section 5.2). Better Auth itself
 * would accept a code again until it expires.
 */
export function createUsedCodes({ database, authSecret }: Pick<AppContext, 'database' | 'authSecret'>) {
  return {
    /**
     * Marks the code as used, then runs `work`. If `work` fails, the code becomes unused again.
     * @throws AppError `auth/wrong-code` when the code was used before
     */
    async runOnce<Result>(uid: string, code: string, work: () => Promise<Result>): Promise<Result> {
      const digest = createHmac('sha256', authSecret).update(`used code ${uid} ${code}`).digest('base64url');
      const id = `code ${digest}`;
      // The code is marked before it is checked, so only one of two concurrent requests continues.
      const marked = await database
        .insertInto('spentProofs')
        .values({ id, expiresAt: Date.now() + keptMs })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst();
      if (!marked) throw new AppError('auth/wrong-code');
      try {
        return await work();
      } catch (error) {
        await database.deleteFrom('spentProofs').where('id', '=', id).execute();
        throw error;
      }
    },
  };
}
