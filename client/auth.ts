import { type OpenSession, openSessions, type PasswordChange } from '#contract/account.ts';
import { authPaths } from '#contract/auth-paths.ts';
import type { EmailVerification, PasswordReset, SignInInput, SignUpInput } from '#contract/credentials.ts';
import { paths } from '#contract/paths.ts';
import { type EmailChangeInput, emailTakenBack } from '#contract/sign-in/email-change.ts';
import {
  type InvitationAcceptance,
  type InvitationInput,
  type InvitationLinkState,
  type Invitations,
  invitationLinkState,
  invitations,
} from '#contract/sign-in/invitation.ts';
import {
  type PasskeyAssertion,
  type PasskeyChallenge,
  type PasskeyInput,
  type PasskeySetUp,
  passkeyChallenge,
  passkeySetUp,
} from '#contract/sign-in/passkeys.ts';
import type { Proof } from '#contract/sign-in/proof.ts';
import {
  type SecondFactorSetUp,
  secondFactorSetUp,
  signInResponse,
} from '#contract/sign-in/second-factor.ts';
import {
  type SessionInfo,
  type SignInMethods,
  sessionInfo,
  signInMethods,
  type VerificationLinkState,
  verificationLinkState,
} from '#contract/user.ts';
import type { AppCheckHeaders } from './app-check.ts';
import { createFindSession, createSignOut } from './first-calls.ts';
import type { Send } from './http.ts';

export type AuthClient = ReturnType<typeof createAuthClient>;

/** Creates the client of the sign-in service. An HttpOnly cookie holds the session; no script can read it. */
export function createAuthClient(send: Send, appCheck: AppCheckHeaders) {
  const post = (path: string, body: unknown = {}, headers: Record<string, string> = {}) =>
    send(path, { method: 'POST', body, headers });

  const readSession = (body: unknown) => sessionInfo.parse(body);

  return {
    /** Parses a session from the server. */
    readSession,
    findSession: createFindSession(send, readSession),
    signOut: createSignOut(send),

    /**
     * Creates the account and its user record, and signs in.
     * @throws ClientError `auth/email-taken`; `auth/email-not-verified` if the server requires a verified
     * email address. After `auth/email-not-verified`, the user signs in with the link in the verification
     * e-mail.
     */
    async signUp(input: SignUpInput): Promise<SessionInfo> {
      return readSession(await (await post(authPaths.signUp, input, await appCheck())).json());
    },

    /**
     * Tells what the link of a verification e-mail needs in this browser, without using it.
     * @throws ClientError `auth/invalid-link`
     */
    async findVerificationLink(token: string): Promise<VerificationLinkState> {
      const body: unknown = await (await post(authPaths.verificationLink, { token })).json();
      return verificationLinkState.parse(body);
    },

    /**
     * Verifies an email address with the token of the mailed link, and signs the user in, unless the account
     * has a second factor.
     * @throws ClientError `auth/invalid-link`; `auth/choose-password` without a password in a browser that
     * did not ask for the link; `auth/other-account` while another user is signed in
     */
    async verifyEmail(input: EmailVerification): Promise<void> {
      await post(authPaths.verifyEmail, input);
    },

    /** Lists the open invitations. Admin only. */
    async listInvitations(): Promise<Invitations> {
      const body: unknown = await (await send(paths.auth.invitations)).json();
      return invitations.parse(body);
    },

    /** Mails an invitation, which replaces earlier ones to the same address. Admin only. */
    async invite(input: InvitationInput): Promise<void> {
      await post(paths.auth.invitations, input);
    },

    /** Withdraws an open invitation. Admin only. */
    async withdrawInvitation(id: string): Promise<void> {
      await send(paths.auth.invitation(id), { method: 'DELETE' });
    },

    /**
     * Tells what the link of an invitation needs in this browser, without using it.
     * @throws ClientError `auth/invalid-link`
     */
    async findInvitation(token: string): Promise<InvitationLinkState> {
      return invitationLinkState.parse(await (await post(paths.auth.invitationLink, { token })).json());
    },

    /**
     * Accepts an invitation. With `account`, creates the account and signs in.
     * @throws ClientError `auth/invalid-link`; `auth/other-account` while another user is signed in;
     * `auth/unauthenticated` when the address has an account, and its owner must sign in first
     */
    async acceptInvitation(input: InvitationAcceptance): Promise<void> {
      await post(paths.auth.acceptInvitation, input);
    },

    /** Sends a new verification e-mail to the signed-in user. This browser's earlier link becomes invalid. */
    async sendVerificationEmail(): Promise<void> {
      await post(authPaths.sendVerificationEmail);
    },

    /**
     * Returns `second-factor` if the password was right and the server asks for a code; see `finishSignIn`.
     */
    async signIn(input: SignInInput): Promise<SessionInfo | 'second-factor'> {
      const body: unknown = await (await post(authPaths.signIn, input)).json();
      const response = signInResponse.parse(body);
      return 'secondFactor' in response ? 'second-factor' : response;
    },

    /**
     * Completes a sign-in with a second factor.
     * @param code a code from the authenticator app, or a recovery code
     * @throws ClientError `auth/wrong-code`
     */
    async finishSignIn(code: string): Promise<SessionInfo> {
      return readSession(await (await post(authPaths.secondFactorVerify, { code })).json());
    },

    /**
     * Starts the set-up of a second factor. To activate the second factor, call `confirmSecondFactor` with a
     * code from the authenticator app.
     * @throws ClientError `auth/wrong-password`, `auth/sign-in-again`
     */
    async beginSecondFactor(proof: Proof): Promise<SecondFactorSetUp> {
      const body: unknown = await (await post(authPaths.secondFactorEnable, proof)).json();
      return secondFactorSetUp.parse(body);
    },

    async confirmSecondFactor(code: string): Promise<void> {
      await post(authPaths.secondFactorConfirm, { code });
    },

    /** @throws ClientError `auth/wrong-password`, `auth/sign-in-again` */
    async endSecondFactor(proof: Proof): Promise<void> {
      await post(authPaths.secondFactorDisable, proof);
    },

    /** Returns a challenge for a sign-in with a passkey or, with a session, for a proof. */
    async getPasskeyChallenge(): Promise<PasskeyChallenge> {
      return passkeyChallenge.parse(await (await send(authPaths.passkeyChallenge)).json());
    },

    /** @throws ClientError `auth/wrong-passkey` */
    async signInWithPasskey(assertion: PasskeyAssertion): Promise<SessionInfo> {
      return readSession(await (await post(authPaths.passkeySignIn, assertion)).json());
    },

    /**
     * Begins to add a passkey; `addPasskey` ends it.
     * @throws ClientError `auth/wrong-password`, `auth/wrong-passkey`, `auth/sign-in-again`
     */
    async beginPasskey(proof: Proof): Promise<PasskeySetUp> {
      return passkeySetUp.parse(await (await post(authPaths.beginPasskey, proof)).json());
    },

    /** @throws ClientError `auth/wrong-passkey` */
    async addPasskey(input: PasskeyInput): Promise<void> {
      await post(authPaths.passkeys, input);
    },

    async renamePasskey(id: string, name: string): Promise<void> {
      await send(paths.auth.passkey(id), { method: 'PATCH', body: { name } });
    },

    async deletePasskey(id: string, proof: Proof): Promise<void> {
      await post(paths.auth.deletePasskey(id), proof);
    },

    /** Lists the sign-in methods besides e-mail and password. */
    async findMethods(signal?: AbortSignal): Promise<SignInMethods> {
      const body: unknown = await (await send(authPaths.methods, { signal })).json();
      return signInMethods.parse(body);
    },

    /** Sends a reset link if the email address has an account. The response is the same if it has none. */
    async requestPasswordReset(email: string): Promise<void> {
      await post(authPaths.requestPasswordReset, { email }, await appCheck());
    },

    async resetPassword(input: PasswordReset): Promise<void> {
      await post(authPaths.resetPassword, input);
    },

    /** Lists the browsers that are signed in to this account. */
    async listSessions(signal?: AbortSignal): Promise<OpenSession[]> {
      const body: unknown = await (await send(authPaths.sessions, { signal })).json();
      return openSessions.parse(body).sessions;
    },

    /** Ends one of the sessions that `listSessions` returns. */
    async endSession(id: string): Promise<void> {
      await send(paths.auth.openSession(id), { method: 'DELETE' });
    },

    async endOtherSessions(): Promise<void> {
      await post(authPaths.endOtherSessions);
    },

    /** Sets a new password and ends all other sessions. @throws ClientError `auth/wrong-password` */
    async changePassword(change: PasswordChange): Promise<void> {
      await post(authPaths.changePassword, change);
    },

    /**
     * Deletes the account and its user's personal data.
     * @throws ClientError `auth/wrong-password`, `auth/sign-in-again`
     */
    async deleteAccount(proof: Proof): Promise<void> {
      await post(authPaths.deleteAccount, proof);
    },

    /**
     * Mails a link to the new address, which confirms the change. Replaces the pending change.
     * @throws ClientError `auth/wrong-password`, `auth/sign-in-again`
     */
    async requestEmailChange(input: EmailChangeInput): Promise<void> {
      await post(authPaths.emailChange, input);
    },

    async withdrawEmailChange(): Promise<void> {
      await send(authPaths.emailChange, { method: 'DELETE' });
    },

    /**
     * Changes the email address, and ends the other sessions.
     * @throws ClientError `auth/invalid-link`; `auth/unauthenticated`; `auth/other-account` in a session of
     * another account
     */
    async confirmEmailChange(token: string): Promise<void> {
      await post(authPaths.confirmEmailChange, { token });
    },

    /**
     * Takes a change of the email address back, and removes everything that could sign in to the account.
     * @returns the email address, to which a reset can be mailed
     * @throws ClientError `auth/invalid-link`
     */
    async takeEmailBack(token: string): Promise<string> {
      const body: unknown = await (await post(authPaths.takeEmailBack, { token })).json();
      return emailTakenBack.parse(body).email;
    },

    /** Makes the signed-in user an admin. @param token the token of the one-time link */
    async becomeFirstAdmin(token: string): Promise<void> {
      await post(authPaths.firstAdmin, { token });
    },
  };
}
