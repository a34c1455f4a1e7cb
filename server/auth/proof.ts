import { limits } from '#contract/limits.ts';
import type { PasskeyAssertion } from '#contract/sign-in/passkeys.ts';
import type { Proof } from '#contract/sign-in/proof.ts';
import type { AppContext } from '../context.ts';
import { AppError } from '../http/errors.ts';
import { type CallBetterAuth, checkPassword } from './call-better-auth.ts';
import { findCredentialId } from './passwords/password-changes.ts';
import type { PasswordHashing } from './passwords/password-hashing.ts';
import { limitAttempts } from './rate-limits.ts';
import type { Session } from './sessions/session.ts';

/** Creates the check of the proof that every change of how an account is entered requires. */
export function createProofs(
  context: AppContext,
  {
    callBetterAuth,
    passwords,
    isOwnPasskey,
  }: {
    callBetterAuth: CallBetterAuth;
    passwords: PasswordHashing;
    isOwnPasskey: (assertion: PasskeyAssertion, session: Session) => Promise<boolean>;
  },
) {
  return {
    /**
     * Checks that the caller is the user of the session, and not someone who has only its cookie: by the
     * password, a passkey, or a recent sign-in if the account has no password.
     * @param recentSignInIsEnough false if an account without a password needs a passkey
     * @throws AppError `auth/wrong-password`, `auth/wrong-passkey`, `auth/sign-in-again`,
     * `auth/too-many-attempts`; `request/invalid` without a password
     */
    async requireProof(
      session: Session,
      { password, passkey }: Proof,
      headers: Headers,
      { recentSignInIsEnough = true } = {},
    ): Promise<void> {
      await limitAttempts(context, ['passwordByAccount', session.uid]);
      if (passkey) {
        if (!(await isOwnPasskey(passkey, session))) throw new AppError('auth/wrong-passkey');
        return;
      }
      if (!(await findCredentialId(context.database, session))) {
        if (!recentSignInIsEnough) throw new AppError('auth/wrong-passkey');
        if (session.startedAt < Date.now() - limits.freshSignInMs) throw new AppError('auth/sign-in-again');
        return;
      }
      if (password === undefined)
        throw new AppError('request/invalid', {
          issues: [{ path: 'password', message: 'Preencha a sua senha.' }],
        });
      await passwords.handle({ priority: 'known' }, () => checkPassword(callBetterAuth, password, headers));
    },
  };
}
