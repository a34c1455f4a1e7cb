import { AsyncLocalStorage } from 'node:async_hooks';
import { sql } from 'kysely';
import { type GoogleProblem, googleLandingPath } from '#contract/auth-paths.ts';
import { foldForSearch } from '#contract/text.ts';
import { lazily } from '#server/concurrency.ts';
import type { AppContext } from '#server/context.ts';
import { AppError } from '#server/http/errors.ts';
import type { LimitedMailer } from '#server/mail/limited-mailer.ts';
import type { PasswordHashing } from '../passwords/password-hashing.ts';
import { headersWith, type WithCookies } from '../sessions/session.ts';
import { findRefusal, type GoogleProfile, readProfile } from './google-profile.ts';

/** The query parameters that a provider adds to the callback's URL. */
export type ProviderResponse = Partial<Record<'code' | 'state' | 'error' | 'iss', string | undefined>>;

export type GoogleSignIn = {
  /**
   * Returns the URL to redirect to, with a cookie that binds the callback to this browser.
   * @param confirms the signed-in user who confirms their identity; every other user is refused
   * @throws AppError `server/unavailable`
   */
  start(headers: Headers, confirms: { uid: string; email: string } | undefined): Promise<WithCookies<string>>;
  /**
   * Handles the callback. Returns the path of the page to show, and on success the session's cookie and the
   * account.
   */
  finish(
    providerResponse: ProviderResponse,
    headers: Headers,
  ): Promise<WithCookies<string> & { user?: { uid: string; email: string } }>;
};

/** The state of one sign-in while its callback is handled. */
type Run = { profile?: GoogleProfile; refusal?: GoogleProblem | undefined };

/**
 * Returns the path to redirect to at the end of a sign-in.
 * @param confirms true if the user of an open session confirms their identity
 */
export function googleLanding(confirms: boolean, problem?: GoogleProblem): string {
  const search = new URLSearchParams();
  if (problem) search.set('erro', problem);
  if (confirms) search.set('para', 'conta');
  return search.size > 0 ? `${googleLandingPath}?${search}` : googleLandingPath;
}

/**
 * Creates the sign-in with Google. It uses OpenID Connect with discovery, state, nonce and PKCE, and checks
 * the ID token's signature, issuer, audience and time. An account whose email address is not verified is
 * linked only after a verified address of Google has removed what came before it.
 * @returns undefined when no client id is configured
 */
export function createGoogleSignIn(
  context: AppContext,
  services: { passwords: PasswordHashing; mailer: LimitedMailer },
): GoogleSignIn | undefined {
  const { database, environment } = context;
  const { google } = environment;
  if (!google) return undefined;
  // Carries the profile and the refusal from `getUserInfo` to `finish`, because Better Auth does not pass
  // them on.
  const runs = new AsyncLocalStorage<Run>();

  const load = async () => {
    const { genericOAuth } = await import('better-auth/plugins/generic-oauth');
    const { getOAuthState } = await import('better-auth/api');
    const { call, createBetterAuth } = await import('../better-auth.ts');
    const provider = genericOAuth({
      config: [
        {
          providerId: 'google',
          discoveryUrl: google.discoveryUrl,
          clientId: google.clientId,
          clientSecret: google.clientSecret,
          scopes: ['openid', 'email', 'profile'],
          prompt: 'select_account',
          requireIdTokenVerification: true,
          accountSubject: ({ profile }) => String(profile.sub),
          // Runs after the ID token is verified, but before an account is linked or created and before a
          // session begins.
          getUserInfo: async ({ idToken }) => {
            const run = runs.getStore();
            const profile = idToken === undefined ? undefined : readProfile(idToken);
            if (!run || !profile) return null;
            const { confirms } = ((await getOAuthState()) ?? {}) as { confirms?: string };
            run.profile = profile;
            run.refusal = await findRefusal(context, profile, confirms);
            if (run.refusal) return null;
            // A new account needs a name; its user can change it.
            const [name] = profile.email.split('@');
            return { id: profile.sub, name, ...profile, image: profile.picture };
          },
        },
      ],
    });
    const { api } = await createBetterAuth(context, services, [provider]);
    return { call, api };
  };
  // Loads the provider's discovery document at the first sign-in, not when the server starts.
  let loadProvider = lazily(load);

  return {
    async start(headers, confirms) {
      const landing = environment.publicUrl + googleLanding(confirms !== undefined);
      const body = {
        provider: 'google',
        callbackURL: landing,
        errorCallbackURL: landing,
        disableRedirect: true,
        ...(confirms && { additionalData: { confirms: confirms.uid }, loginHint: confirms.email }),
      };
      try {
        const { api, call } = await loadProvider();
        const { result, cookies } = await call(api.signInSocial({ body, headers, returnHeaders: true }));
        if (!result.url) throw new Error('The provider gave no URL.');
        return { result: result.url, cookies };
      } catch (cause) {
        // If the discovery document was unreachable, the next sign-in loads it again.
        loadProvider = lazily(load);
        throw new AppError('server/unavailable', { cause });
      }
    },

    async finish(providerResponse, headers) {
      // The provider is not loaded yet if another instance, or this one before a restart, began this sign-in.
      const { api } = await loadProvider();
      const run: Run = {};
      const response = await runs.run(run, () =>
        api.callbackOAuth({
          params: { id: 'google' },
          query: { ...providerResponse },
          headers,
          asResponse: true,
        }),
      );
      const cookies = response.headers.getSetCookie();
      const landing = new URL(response.headers.get('location') ?? '', environment.publicUrl);
      const error = landing.searchParams.get('error');
      const confirms = landing.searchParams.has('para');
      if (landing.pathname !== googleLandingPath || error || !run.profile) {
        const problem = run.refusal ?? problems[error ?? ''] ?? 'falhou';
        return { result: googleLanding(confirms, problem), cookies };
      }
      const session = await api.getSession({ headers: headersWith(cookies) });
      if (!session) throw new Error('The session that was just begun cannot be found.');
      // The new session replaces the one whose user has confirmed their identity. The old one must not stay
      // open.
      if (confirms) await api.signOut({ headers });
      await writeRecord(session.user, run.profile);
      await database.deleteFrom('verificationLinks').where('email', '=', session.user.email).execute();
      const { id: uid, email } = session.user;
      return { result: googleLanding(confirms), cookies, user: { uid, email } };
    },
  };

  /**
   * Updates the user after a sign-in. Sets Google's name, unless the user has chosen one on this site. Sets
   * Google's picture, unless the user has one or has removed it. Sets the category `patient` if the user has
   * no category yet.
   */
  async function writeRecord(user: { id: string; name: string; email: string }, profile: GoogleProfile) {
    const displayName = profile.name ?? user.name;
    const searchKey = foldForSearch(`${displayName} ${user.email}`);
    const unlessOwnName = (column: string, value: string) =>
      sql<string>`case when ${sql.ref('ownName')} then ${sql.ref(column)} else ${value} end`;
    await database
      .updateTable('users')
      .set({
        displayName: unlessOwnName('displayName', displayName),
        searchKey: unlessOwnName('searchKey', searchKey),
        category: sql<string>`coalesce(${sql.ref('category')}, 'patient')`,
        profilePic: sql<string | null>`case when ${sql.ref('ownPicture')} then ${sql.ref('profilePic')}
          else coalesce(${sql.ref('profilePic')}, ${profile.picture ?? null}) end`,
      })
      .where('id', '=', user.id)
      .execute();
  }
}

/** Maps errors of Better Auth and of the provider. Every other error becomes `falhou`. */
const problems: Record<string, GoogleProblem> = {
  access_denied: 'cancelado',
  account_not_linked: 'outra-conta',
};
