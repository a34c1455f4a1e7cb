import { AsyncLocalStorage } from 'node:async_hooks';
import { sql } from 'kysely';
import type { AppContext } from '#server/context.ts';
import { foldForSearch } from '#server/database/search-key.ts';
import { AppError } from '#server/http/errors.ts';
import { lazily } from '#server/lazily.ts';
import type { LimitedMailer } from '#server/mail/limited-mailer.ts';
import type { PasswordHashing } from '../passwords/password-hashing.ts';
import { headersWith, type WithCookies } from '../sessions/session.ts';

/** The query parameters that a provider adds to the callback's URL. */
export type ProviderResponse = Partial<Record<'code' | 'state' | 'error' | 'iss', string | undefined>>;

export type GoogleSignIn = {
  /**
   * Returns the URL to redirect to, with a cookie that binds the callback to this browser.
   * @throws AppError `server/unavailable`
   */
  start(headers: Headers): Promise<WithCookies<string>>;
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

/** The profile from the provider, kept only for this request. */
type Profile = { name?: string; picture?: string };

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
  const profiles = new AsyncLocalStorage<{ profile?: Profile }>();
  // Loads the provider's discovery document at the first sign-in, not when the server starts.
  let instance = lazily(load);

  async function load() {
    const { genericOAuth } = await import('better-auth/plugins/generic-oauth');
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
          mapProfileToUser: (profile) => {
            const store = profiles.getStore();
            if (store) store.profile = profile as Profile;
            return {};
          },
        },
      ],
    });
    const { api } = await createBetterAuth(context, services, [provider]);
    return { call, api };
  }

  return {
    async start(headers) {
      const landing = environment.publicUrl + landingPath;
      const body = {
        provider: 'google',
        callbackURL: landing,
        errorCallbackURL: landing,
        disableRedirect: true,
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
      const store: { profile?: Profile } = {};
      const response = await profiles.run(store, () =>
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
      if (landing.pathname !== landingPath || error) {
        return { result: `${landingPath}?erro=${errorNames[error ?? ''] ?? 'falhou'}`, cookies };
      }
      const begun = headersWith(cookies);
      const session = await api.getSession({ headers: begun });
      if (!session) throw new Error('The session that was just begun cannot be found.');
      if (session.user.twoFactorEnabled) {
        // Google is only one factor, and only the sign-in with a password asks for the second one.
        await api.signOut({ headers: begun });
        return { result: `${landingPath}?erro=segundo-fator`, cookies: [] };
      }
      await writeRecord(session.user, store.profile ?? {});
      return { result: landingPath, cookies, email: session.user.email };
    },
  };

  /** Updates the user after a sign-in: Google's name, and a category and a picture if there are none yet. */
  async function writeRecord(user: { id: string; name: string; email: string }, { name, picture }: Profile) {
    const displayName = name?.trim() || user.name;
    await database
      .updateTable('users')
      .set({
        displayName,
        searchKey: foldForSearch(`${displayName} ${user.email}`),
        category: sql<string>`coalesce(${sql.ref('category')}, 'patient')`,
        profilePic: sql<string | null>`coalesce(${sql.ref('profilePic')}, ${picture ?? null})`,
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
