import { AsyncLocalStorage } from 'node:async_hooks';
import { sql } from 'kysely';
import type { AppContext } from '#server/context.ts';
import { foldForSearch } from '#server/database/search-key.ts';
import { AppError } from '#server/http/errors.ts';
import { lazily } from '#server/lazily.ts';
import type { LimitedMailer } from '#server/mail/limited-mailer.ts';
import type { PasswordHashing } from '../passwords/password-hashing.ts';
import { headersWith, type WithCookies } from '../sessions/session.ts';
import { findRefusal, type GoogleProfile, type Refusal, readProfile } from './google-profile.ts';

/** The query parameters that a provider adds to the callback's URL. */
export type ProviderResponse = Partial<Record<'code' | 'state' | 'error' | 'iss', string | undefined>>;

export type GoogleSignIn = {
  /**
   * Returns the URL to redirect to, with a cookie that binds the callback to this browser.
   * @param confirms the signed-in user who proves again who they are; every other user is refused
   * @throws AppError `server/unavailable`
   */
  start(headers: Headers, confirms: { uid: string; email: string } | undefined): Promise<WithCookies<string>>;
  /**
   * Handles the callback. Returns the path of the page to show, and on success the session's cookie and the
   * account's email address.
   */
  finish(
    providerResponse: ProviderResponse,
    headers: Headers,
  ): Promise<WithCookies<string> & { email?: string }>;
};

/** The page that the callback redirects to. It notifies the window that opened it and closes itself. */
const landingPath = '/entrar-com-google';

/** One sign-in, while its callback is handled. */
type Run = { profile?: GoogleProfile; refusal?: Refusal | undefined };

/**
 * Creates the sign-in with Google by OpenID Connect, with discovery, state, nonce and PKCE. It checks the ID
 * token's signature, issuer, audience and time. It links only to accounts with a verified email address.
 * @returns undefined when no client id is configured
 */
export function createGoogleSignIn(
  context: AppContext,
  services: { passwords: PasswordHashing; mailer: LimitedMailer },
): GoogleSignIn | undefined {
  const { database, environment } = context;
  const { google } = environment;
  if (!google) return undefined;
  const runs = new AsyncLocalStorage<Run>();
  // Loads the provider's discovery document at the first sign-in, not when the server starts.
  let instance = lazily(load);

  async function load() {
    const { genericOAuth } = await import('better-auth/plugins/generic-oauth');
    const { getOAuthState } = await import('better-auth/api');
    const { call, createBetterAuth } = await import('../better-auth.ts');
    const provider = genericOAuth({
      config: [
        {
          providerId: 'google',
          discoveryUrl: google?.discoveryUrl ?? '',
          clientId: google?.clientId ?? '',
          clientSecret: google?.clientSecret ?? '',
          scopes: ['openid', 'email', 'profile'],
          prompt: 'select_account',
          requireIdTokenVerification: true,
          accountSubject: ({ profile }) => String(profile.sub),
          // Runs after the ID token is verified, and before anything is linked, created or begun.
          getUserInfo: async ({ idToken }) => {
            const run = runs.getStore();
            const profile = idToken === undefined ? undefined : readProfile(idToken);
            if (!run || !profile) return null;
            const { confirms } = ((await getOAuthState()) ?? {}) as { confirms?: string };
            run.profile = profile;
            run.refusal = await findRefusal(context, profile, confirms);
            if (run.refusal) return null;
            return { id: profile.sub, ...profile, image: profile.picture };
          },
        },
      ],
    });
    const { api } = await createBetterAuth(context, services, [provider]);
    return { call, api };
  }

  return {
    async start(headers, confirms) {
      const landing = environment.publicUrl + landingPath + (confirms ? '?para=conta' : '');
      const body = {
        provider: 'google',
        callbackURL: landing,
        errorCallbackURL: landing,
        disableRedirect: true,
        ...(confirms && { additionalData: { confirms: confirms.uid }, loginHint: confirms.email }),
      };
      try {
        const { api, call } = await instance();
        const { result, cookies } = await call(api.signInSocial({ body, headers, returnHeaders: true }));
        if (!result.url) throw new Error('The provider gave no URL.');
        return { result: result.url, cookies };
      } catch (cause) {
        // If the discovery document was unreachable, the next sign-in loads it again.
        instance = lazily(load);
        throw new AppError('server/unavailable', { cause });
      }
    },

    async finish(providerResponse, headers) {
      // The provider is not loaded yet if another server, or this one before a restart, began this sign-in.
      const { api } = await instance();
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
      const towards = landing.searchParams.has('para') ? '&para=conta' : '';
      if (landing.pathname !== landingPath || error || !run.profile) {
        const name = run.refusal ?? errorNames[error ?? ''] ?? 'falhou';
        return { result: `${landingPath}?erro=${name}${towards}`, cookies };
      }
      const session = await api.getSession({ headers: headersWith(cookies) });
      if (!session) throw new Error('The session that was just begun cannot be found.');
      // A confirmed session is replaced, so that it does not stay open beside the new one.
      if (towards) await api.signOut({ headers });
      await writeRecord(session.user, run.profile);
      return { result: landing.pathname + landing.search, cookies, email: session.user.email };
    },
  };

  /**
   * Updates the user after a sign-in: Google's name and picture, except where the user has chosen them on this
   * site, and a category if there is none yet.
   */
  async function writeRecord(user: { id: string; name: string; email: string }, profile: GoogleProfile) {
    const displayName = profile.name?.trim() || user.name;
    const searchKey = foldForSearch(`${displayName} ${user.email}`);
    const unlessOwn = (flag: 'ownName' | 'ownPicture', column: string, value: string | null) =>
      sql<string>`case when ${sql.ref(flag)} then ${sql.ref(column)} else ${value} end`;
    await database
      .updateTable('users')
      .set({
        displayName: unlessOwn('ownName', 'displayName', displayName),
        searchKey: unlessOwn('ownName', 'searchKey', searchKey),
        category: sql<string>`coalesce(${sql.ref('category')}, 'patient')`,
        profilePic: sql<string | null>`case when ${sql.ref('ownPicture')} then ${sql.ref('profilePic')}
          else coalesce(${sql.ref('profilePic')}, ${profile.picture ?? null}) end`,
      })
      .where('id', '=', user.id)
      .execute();
  }
}

/** Maps errors to the `erro` parameter of the landing page. Every other error becomes `falhou`. */
const errorNames: Record<string, string> = {
  access_denied: 'cancelado',
  account_not_linked: 'outra-conta',
};
