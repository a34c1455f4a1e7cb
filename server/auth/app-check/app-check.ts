import { createHmac, randomUUID } from 'node:crypto';
import { type Challenge, createChallenge, randomInt, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { AppCheckChallenge, AppCheckProof } from '#contract/app-check.ts';
import type { AppContext } from '#server/context.ts';
import type { Database } from '#server/database/connect.ts';
import { AppError } from '#server/http/errors.ts';
import { createSignedTokens } from '#server/http/tokens.ts';

export type AppCheck = ReturnType<typeof createAppCheck>;

const challengeMs = 5 * 60_000;
const tokenMs = 10 * 60_000;
/** The range of a random number: how many keys a browser must derive to find the right one. */
const keyCount = { least: 100, most: 300 };

/** The content of a token. `holder` is the id of the session that received the token, or `visitor`. */
type TokenContent = { id: string; holder: string; expiresAt: number };

/**
 * The app check: a browser does some work to prove that it runs this site's code, and gets a token for one
 * call or one upload. Challenges and tokens are signed and bound to their holder. They expire, and each works
 * only once.
 */
export function createAppCheck({
  database,
  authSecret,
  environment,
}: Pick<AppContext, 'database' | 'authSecret'> & {
  environment: Pick<AppContext['environment'], 'appCheckCost'>;
}) {
  const keyFor = (purpose: string) =>
    createHmac('sha256', authSecret).update(`app-check ${purpose}`).digest('base64url');
  const challengeSecrets = {
    hmacSignatureSecret: keyFor('challenge'),
    hmacKeySignatureSecret: keyFor('solution'),
  };
  const tokens = createSignedTokens<TokenContent>(authSecret, 'app-check token');

  /** Marks an id as used. @throws AppError `auth/app-check-failed` when the id was used before */
  async function spend(connection: Database, id: string, expiresAt: number): Promise<void> {
    const fresh = await connection
      .insertInto('spentProofs')
      .values({ id, expiresAt })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!fresh) throw new AppError('auth/app-check-failed');
  }

  /** Reads the content of a token of this holder. @throws AppError `auth/app-check-failed` */
  function readToken(token: string, holder: string): TokenContent {
    const content = tokens.read(token);
    if (content?.holder !== holder) throw new AppError('auth/app-check-failed');
    return content;
  }

  async function spendToken(connection: Database, { id, expiresAt }: TokenContent): Promise<void> {
    if (expiresAt <= Date.now()) throw new AppError('auth/app-check-failed');
    await spend(connection, id, expiresAt);
  }

  return {
    async challenge(holder: string): Promise<AppCheckChallenge> {
      const { parameters, signature = '' } = await createChallenge({
        algorithm: 'PBKDF2/SHA-256',
        cost: environment.appCheckCost,
        counter: randomInt(keyCount.least, keyCount.most),
        expiresAt: new Date(Date.now() + challengeMs),
        data: { id: randomUUID(), holder },
        deriveKey,
        ...challengeSecrets,
      });
      return { parameters: { ...parameters }, signature };
    },

    /** Returns a token for a solved challenge. @throws AppError `auth/app-check-failed` */
    async exchange({ challenge, solution }: AppCheckProof, holder: string): Promise<string> {
      const parameters = challenge.parameters as unknown as Challenge['parameters'];
      const { verified } = await verifySolution({
        challenge: { parameters, signature: challenge.signature },
        solution,
        deriveKey,
        ...challengeSecrets,
      }).catch(() => ({ verified: false })); // throws for a malformed challenge
      const { id, holder: asked } = parameters.data ?? {};
      if (!verified || typeof id !== 'string' || asked !== holder)
        throw new AppError('auth/app-check-failed');
      await spend(database, id, Date.now() + challengeMs);
      return tokens.write({ id: randomUUID(), holder, expiresAt: Date.now() + tokenMs });
    },

    /** Spends a token on one call. @returns its id @throws AppError `auth/app-check-failed` */
    async spendToken(token: string, holder: string): Promise<string> {
      const content = readToken(token, holder);
      await spendToken(database, content);
      return content.id;
    },

    /**
     * True if the token is bound to the finished upload of the file at `path`. Such a token is also valid for
     * calls that look up or delete that file.
     */
    async isOfFile(token: string, { id, uid }: { id: string; uid: string }, path: string): Promise<boolean> {
      const upload = await database
        .selectFrom('uploadProofs')
        .innerJoin('uploads', 'uploads.id', 'uploadProofs.uploadId')
        .select('uploads.id')
        .where('proofId', '=', readToken(token, id).id)
        .where('ownerId', '=', uid)
        .where('path', '=', path)
        .where('finishedAt', 'is not', null)
        .executeTakeFirst();
      return upload !== undefined;
    },

    /**
     * Spends a token on one upload: it binds the token to the upload, so that the token is valid for all
     * calls of that upload. The token must be unused, or already bound to this upload. Once bound, the token
     * stays valid until the upload is deleted, even past its expiry time. For an unknown upload, or that of
     * another user, this function spends nothing.
     * @throws AppError `auth/app-check-failed`
     */
    async spendOnUpload(
      token: string,
      { id, uid }: { id: string; uid: string },
      uploadId: string,
    ): Promise<void> {
      const content = readToken(token, id);
      const upload = await database
        .selectFrom('uploads')
        .select('id')
        .where('id', '=', uploadId)
        .where('ownerId', '=', uid)
        .executeTakeFirst();
      if (!upload) return;
      const serves = () =>
        database
          .selectFrom('uploadProofs')
          .select('proofId')
          .where('uploadId', '=', uploadId)
          .where('proofId', '=', content.id)
          .executeTakeFirst();
      if (await serves()) return;
      try {
        await database.transaction().execute(async (transaction) => {
          await spendToken(transaction, content);
          await transaction.insertInto('uploadProofs').values({ uploadId, proofId: content.id }).execute();
        });
      } catch (error) {
        // Another call of this upload may have bound the token at the same time.
        if (!(error instanceof AppError) || !(await serves())) throw error;
      }
    },
  };
}
