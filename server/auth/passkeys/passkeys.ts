import { randomBytes, randomUUID } from 'node:crypto';
import {
  type PasskeyAssertion,
  type PasskeyChallenge,
  type PasskeyInput,
  type PasskeySetUp,
  passkeysMaxItems,
} from '#contract/sign-in/passkeys.ts';
import { lazily } from '#server/concurrency.ts';
import type { AppContext } from '#server/context.ts';
import type { Database } from '#server/database/connect.ts';
import { removeLostClinicians } from '#server/diary/sharing/clinicians.ts';
import { allowedOrigins } from '#server/environment.ts';
import { AppError } from '#server/http/errors.ts';
import { createSignedTokens } from '#server/http/tokens.ts';
import { lockUser } from '#server/users/users.ts';
import { hashOfToken } from '../hashed-tokens.ts';
import { findSessionRow, type Session, type WithCookies } from '../sessions/session.ts';
import { type Browser, beginSession } from '../sessions/sessions.ts';
import { requireStillOpen } from '../sign-in-methods.ts';

const challengeMs = 5 * 60_000;

/**
 * `use` is for a sign-in and for a proof; `add` for a new passkey, after the proof. The holder is the id of
 * the session, or `visitor`.
 */
type Challenge = { purpose: 'use' | 'add'; holder: string; until: number; random: string };

/**
 * Adds and checks passkeys (WebAuthn). Every use requires user verification (the fingerprint, the face or the
 * PIN of the device), so a passkey counts as two factors. Challenges are signed and in no table, so strangers
 * who ask for them write nothing; a used one is spent until it expires.
 */
export function createPasskeys(context: AppContext) {
  const { database, databaseKind, authSecret } = context;
  const { publicUrl, requireVerifiedEmail } = context.environment;
  const rpId = new URL(publicUrl).hostname;
  const expected = { expectedOrigin: [...allowedOrigins(publicUrl)], expectedRPID: rpId };
  const tokens = createSignedTokens<Challenge>(authSecret, 'passkey challenges');
  const loadLibrary = lazily(() => import('@simplewebauthn/server'));

  function challengeFor(purpose: Challenge['purpose'], holder: string): string {
    const random = randomBytes(16).toString('base64url');
    return tokens.write({ purpose, holder, until: Date.now() + challengeMs, random });
  }

  /** Accepts the challenge of a response if it is for this purpose and holder. @param sent in base64url */
  const isExpected = (purpose: Challenge['purpose'], holder: string) => (sent: string) => {
    const challenge = tokens.read(Buffer.from(sent, 'base64url').toString());
    return challenge?.purpose === purpose && challenge.holder === holder && challenge.until > Date.now();
  };

  /** Makes the challenge of a response valid once. @throws AppError `auth/wrong-passkey` */
  async function spend(clientDataJSON: string): Promise<void> {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as {
      challenge: string;
    };
    const spent = await database
      .insertInto('spentProofs')
      .values({ id: `passkey ${hashOfToken(challenge)}`, expiresAt: Date.now() + challengeMs })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!spent) throw new AppError('auth/wrong-passkey');
  }

  /**
   * Checks what an authenticator has signed, and notes the use.
   * @param holder the holder of the challenge
   * @returns the owner of the passkey
   * @throws AppError `auth/wrong-passkey`, also when the counter shows a copy of the authenticator
   */
  async function check({ id, ...response }: PasskeyAssertion, holder: string): Promise<string> {
    const passkey = await database
      .selectFrom('passkeys')
      .selectAll()
      .where('credentialId', '=', id)
      .executeTakeFirst();
    if (!passkey) throw new AppError('auth/wrong-passkey');
    const { verifyAuthenticationResponse } = await loadLibrary();
    const counter = Number(passkey.counter);
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...expected,
      response: { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} },
      expectedChallenge: isExpected('use', holder),
      requireUserVerification: true,
      credential: { id, publicKey: Buffer.from(passkey.publicKey, 'base64url'), counter },
    }).catch((cause: unknown) => {
      throw new AppError('auth/wrong-passkey', { cause });
    });
    if (!verified) throw new AppError('auth/wrong-passkey');
    await spend(response.clientDataJSON);
    const { numUpdatedRows } = await database
      .updateTable('passkeys')
      .set({ counter: authenticationInfo.newCounter, lastUsedAt: Date.now() })
      .where('id', '=', passkey.id)
      .where('counter', '=', passkey.counter)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new AppError('auth/wrong-passkey');
    return passkey.uid;
  }

  async function credentialsOf(uid: string): Promise<PasskeyChallenge['credentials']> {
    const rows = await database
      .selectFrom('passkeys')
      .select(['credentialId as id', 'transports'])
      .where('uid', '=', uid)
      .execute();
    return rows.map(({ id, transports }) => ({ id, transports: transports.split(',').filter(Boolean) }));
  }

  return {
    /** Returns a challenge for a sign-in or, with a session, for a proof. */
    async getPasskeyChallenge(session: Session | undefined): Promise<PasskeyChallenge> {
      return {
        challenge: challengeFor('use', holderOf(session)),
        rpId,
        credentials: session ? await credentialsOf(session.uid) : [],
      };
    },

    /** True if the assertion is by a passkey of the session's user, for a challenge of the session. */
    async isOwnPasskey(assertion: PasskeyAssertion, session: Session): Promise<boolean> {
      return (await check(assertion, holderOf(session))) === session.uid;
    },

    /**
     * Begins a strong session.
     * @param session that of the request, to which the challenge belongs
     * @throws AppError `auth/wrong-passkey`; `auth/email-not-verified`
     */
    async signInWithPasskey(
      assertion: PasskeyAssertion,
      session: Session | undefined,
      browser: Browser,
    ): Promise<WithCookies<Session>> {
      const uid = await check(assertion, holderOf(session));
      const { result: begun, cookies } = await database.transaction().execute(async (transaction) => {
        // The owner of the address may have taken over the account meanwhile.
        const owner = await transaction
          .selectFrom('passkeys')
          .innerJoin('users', 'users.id', 'passkeys.uid')
          .select('users.emailVerified')
          .where('credentialId', '=', assertion.id)
          .$if(databaseKind === 'postgres', (query) => query.forUpdate())
          .executeTakeFirst();
        if (!owner) throw new AppError('auth/wrong-passkey');
        if (requireVerifiedEmail && !owner.emailVerified) throw new AppError('auth/email-not-verified');
        return beginSession(context, transaction, { uid, strong: true }, browser);
      });
      const result = await findSessionRow(database, begun);
      if (!result) throw new AppError('auth/unauthenticated');
      return { result, cookies };
    },

    /** Begins to add a passkey. The user must have given the proof (proof.ts); the challenge attests it. */
    async beginPasskey({ id, uid, email }: Session): Promise<PasskeySetUp> {
      const { displayName } = await database
        .selectFrom('users')
        .select('displayName')
        .where('id', '=', uid)
        .executeTakeFirstOrThrow();
      return {
        challenge: challengeFor('add', id),
        rpId,
        rpName: await context.clinicName(),
        user: { id: Buffer.from(uid).toString('base64url'), name: email, displayName },
        credentials: await credentialsOf(uid),
      };
    },

    /** @throws AppError `auth/wrong-passkey`, `auth/unauthenticated`; `request/invalid` */
    async addPasskey({ name, credential }: PasskeyInput, session: Session): Promise<void> {
      const { id, transports, ...response } = credential;
      const { verifyRegistrationResponse } = await loadLibrary();
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        ...expected,
        response: { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} },
        expectedChallenge: isExpected('add', session.id),
        requireUserVerification: true,
      }).catch((cause: unknown) => {
        throw new AppError('auth/wrong-passkey', { cause });
      });
      if (!verified) throw new AppError('auth/wrong-passkey');
      await spend(response.clientDataJSON);
      const { id: credentialId, publicKey, counter } = registrationInfo.credential;
      await database.transaction().execute(async (transaction) => {
        await requireStillOpen(transaction, databaseKind, session);
        const { uid } = session;
        const own = await transaction.selectFrom('passkeys').select('id').where('uid', '=', uid).execute();
        if (own.length >= passkeysMaxItems)
          throw new AppError('request/invalid', {
            message: `Cabem até ${passkeysMaxItems} chaves na conta. Apague uma para criar outra.`,
          });
        const added = await transaction
          .insertInto('passkeys')
          .values({
            ...{ id: randomUUID(), uid, credentialId, counter, name, transports: transports.join(',') },
            publicKey: Buffer.from(publicKey).toString('base64url'),
            ...{ createdAt: Date.now(), lastUsedAt: null },
          })
          .onConflict((conflict) => conflict.doNothing())
          .returning('id')
          .executeTakeFirst();
        if (!added) throw new AppError('auth/wrong-passkey');
      });
    },

    /** @throws AppError `documents/not-found` */
    async renamePasskey(id: string, name: string, { uid }: Session): Promise<void> {
      const { numUpdatedRows } = await database
        .updateTable('passkeys')
        .set({ name })
        .where('id', '=', id)
        .where('uid', '=', uid)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) throw new AppError('documents/not-found');
    },

    /** The user must have given the proof (proof.ts). @throws AppError `documents/not-found` */
    async deletePasskey(id: string, session: Session): Promise<void> {
      await database.transaction().execute(async (transaction: Database) => {
        await requireStillOpen(transaction, databaseKind, session);
        const { numDeletedRows } = await transaction
          .deleteFrom('passkeys')
          .where('id', '=', id)
          .where('uid', '=', session.uid)
          .executeTakeFirst();
        if (numDeletedRows === 0n) throw new AppError('documents/not-found');
        await lockUser(transaction, databaseKind, session.uid);
        await removeLostClinicians(transaction, session.uid);
      });
    },
  };
}

const holderOf = (session: Session | undefined) => session?.id ?? 'visitor';
