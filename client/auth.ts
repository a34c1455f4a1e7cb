import type { OpenSession, PasswordChange } from '#contract/account.ts';
import { authPaths } from '#contract/auth-paths.ts';
import type { PasswordReset, SignInInput, SignUpInput } from '#contract/credentials.ts';
import type { SecondFactorSetUp } from '#contract/second-factor.ts';
import type { SessionInfo, SignInMethods } from '#contract/user.ts';
import type { AppCheckHeaders } from './app-check.ts';
import type { Send } from './http.ts';
import { loadSchemas } from './schemas.ts';
import { readSession } from './session.ts';

export type AuthClient = ReturnType<typeof createAuthClient>;

/** Sign-in. The session itself lives in an HttpOnly cookie that no script can read. */
export function createAuthClient(send: Send, appCheck: AppCheckHeaders) {
  const post = (path: string, body: unknown = {}, headers: Record<string, string> = {}) =>
    send(path, { method: 'POST', body, headers });

  return {
    /**
     * Makes the account and its user record, and signs in.
     * @throws ClientError `auth/email-taken`; where addresses must be verified first,
     *   `auth/email-not-verified`: the mailed link signs in
     */
    async signUp(input: SignUpInput): Promise<SessionInfo> {
      return readSession(await (await post(authPaths.signUp, input, await appCheck())).json());
    },

    /** Mails a new verification link to the person who is signed in. */
    async sendVerificationEmail(): Promise<void> {
      await post(authPaths.sendVerificationEmail);
    },

    /** `second-factor`: the password was right, and a code is asked for; see `finishSignIn`. */
    async signIn(input: SignInInput): Promise<SessionInfo | 'second-factor'> {
      const body: unknown = await (await post(authPaths.signIn, input)).json();
      const answer = (await loadSchemas()).signInAnswer.parse(body);
      return 'secondFactor' in answer ? 'second-factor' : answer;
    },

    /** @param code of the authenticator, or a recovery code @throws ClientError `auth/wrong-code` */
    async finishSignIn(code: string): Promise<SessionInfo> {
      return readSession(await (await post(authPaths.secondFactorVerify, { code })).json());
    },

    /** Begins with a second factor; it counts once `confirmSecondFactor` got a code of it. */
    async beginSecondFactor(password: string): Promise<SecondFactorSetUp> {
      const body: unknown = await (await post(authPaths.secondFactorEnable, { password })).json();
      return (await loadSchemas()).secondFactorSetUp.parse(body);
    },

    async confirmSecondFactor(code: string): Promise<void> {
      await post(authPaths.secondFactorConfirm, { code });
    },

    async endSecondFactor(password: string): Promise<void> {
      await post(authPaths.secondFactorDisable, { password });
    },

    /** Which ways to sign in there are besides e-mail and password. */
    async findMethods(signal?: AbortSignal): Promise<SignInMethods> {
      const body: unknown = await (await send(authPaths.methods, { signal })).json();
      return (await loadSchemas()).signInMethods.parse(body);
    },

    /** Mails a reset link if the address has an account; the answer is the same if it has none. */
    async requestPasswordReset(email: string): Promise<void> {
      await post(authPaths.requestPasswordReset, { email }, await appCheck());
    },

    async resetPassword(input: PasswordReset): Promise<void> {
      await post(authPaths.resetPassword, input);
    },

    /** The browsers that are signed in to this account. */
    async listSessions(signal?: AbortSignal): Promise<OpenSession[]> {
      const body: unknown = await (await send(authPaths.sessions, { signal })).json();
      return (await loadSchemas()).openSessions.parse(body).sessions;
    },

    async endOtherSessions(): Promise<void> {
      await post(authPaths.endOtherSessions);
    },

    /** Sets a new password and ends every other session. @throws ClientError `auth/wrong-password` */
    async changePassword(change: PasswordChange): Promise<void> {
      await post(authPaths.changePassword, change);
    },

    /** Removes the account and everything kept about its owner. @throws ClientError `auth/wrong-password` */
    async deleteAccount(password: string): Promise<void> {
      await post(authPaths.deleteAccount, { password });
    },

    /** Exchanges the one-time link of the first start for the admin role of the signed-in account. */
    async becomeFirstAdmin(token: string): Promise<void> {
      await post(authPaths.firstAdmin, { token });
    },
  };
}
