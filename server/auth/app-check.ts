import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { type Challenge, createChallenge, randomInt, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { AppCheckChallenge, AppCheckProof } from '#contract/app-check.ts';
import type { AppContext } from '../context.ts';
import { AppError } from '../errors.ts';

export type AppCheck = ReturnType<typeof createAppCheck>;

const challengeMs = 5 * 60_000;
const tokenMs = 10 * 60_000;
/** How many keys a browser derives until it finds the right one. */
const tries = { least: 100, most: 300 };

/** What a token says. `holder` is the session it was given to, or `visitor`. */
type TokenContent = { id: string; holder: string; expiresAt: number };

/**
 * The app check: a browser proves by work that it runs this site's code with some patience, and gets a token
 * for one call. Challenges and tokens are signed, bound to who asked for them, expire, and serve once.
 */
export function createAppCheck({ database, authSecret, environment }: AppContext) {
  const keyFor = (purpose: string) =>
    createHmac('sha256', authSecret).update(`app-check ${purpose}`).digest('base64url');
  const challengeSecrets = {
    hmacSignatureSecret: keyFor('challenge'),
    hmacKeySignatureSecret: keyFor('solution'),
  };
  const tokenKey = keyFor('token');
  const sign = (text: string) => createHmac('sha256', tokenKey).update(text).digest('base64url');

  /** Marks an id as used. @throws AppError `auth/app-check-failed` when it was used before */
  async function spend(id: string, expiresAt: number): Promise<void> {
    await database.deleteFrom('spentProofs').where('expiresAt', '<', Date.now()).execute();
    const fresh = await database
      .insertInto('spentProofs')
      .values({ id, expiresAt })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!fresh) throw new AppError('auth/app-check-failed');
  }

  return {
    async challenge(holder: string): Promise<AppCheckChallenge> {
      const { parameters, signature = '' } = await createChallenge({
        algorithm: 'PBKDF2/SHA-256',
        cost: environment.appCheckCost,
        counter: randomInt(tries.least, tries.most),
        expiresAt: new Date(Date.now() + challengeMs),
        data: { id: randomUUID(), holder },
        deriveKey,
        ...challengeSecrets,
      });
      return { parameters: { ...parameters }, signature };
    },

    /** A token for a solved challenge. @throws AppError `auth/app-check-failed` */
    async exchange({ challenge, solution }: AppCheckProof, holder: string): Promise<string> {
      const parameters = challenge.parameters as unknown as Challenge['parameters'];
      const { verified } = await verifySolution({
        challenge: { parameters, signature: challenge.signature },
        solution,
        deriveKey,
        ...challengeSecrets,
      }).catch(() => ({ verified: false })); // what is not even a challenge
      const { id, holder: asked } = parameters.data ?? {};
      if (!verified || typeof id !== 'string' || asked !== holder)
        throw new AppError('auth/app-check-failed');
      await spend(id, Date.now() + challengeMs);
      const content: TokenContent = { id: randomUUID(), holder, expiresAt: Date.now() + tokenMs };
      const text = Buffer.from(JSON.stringify(content)).toString('base64url');
      return `${text}.${sign(text)}`;
    },

    /** Takes a token for one call. @throws AppError `auth/app-check-failed` */
    async spendToken(token: string, holder: string): Promise<void> {
      const [text = '', signature = ''] = token.split('.');
      const [given, right] = [Buffer.from(signature), Buffer.from(sign(text))];
      if (given.length !== right.length || !timingSafeEqual(given, right))
        throw new AppError('auth/app-check-failed');
      const content = JSON.parse(Buffer.from(text, 'base64url').toString()) as TokenContent;
      if (content.expiresAt < Date.now() || content.holder !== holder)
        throw new AppError('auth/app-check-failed');
      await spend(content.id, content.expiresAt);
    },
  };
}
