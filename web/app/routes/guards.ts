import { type MiddlewareFunction, redirect } from 'react-router';
import { isAdmin, isEditor, isMember, type SessionStore, type SettledSession } from '../session.ts';
import { visit } from '../visit.ts';

/**
 * Creates route middleware that waits for the session and the user record, then redirects or continues. It
 * runs before the loaders of the route and of its child routes. The server checks permissions on every call.
 */
function guard(
  session: SessionStore,
  redirectFor: (settled: SettledSession, path: string) => string | undefined,
) {
  const middleware: MiddlewareFunction = async ({ request }) => {
    const { pathname, search } = new URL(request.url);
    const target = redirectFor(await session.ready(), pathname + search);
    if (target) throw redirect(target);
  };
  return middleware;
}

const fits = { admin: isAdmin, editor: isEditor, member: isMember };

/** Redirects users without the role to the home page, where a toast says why. */
const requireRole = (role: keyof typeof fits) => (session: SessionStore) =>
  guard(session, (settled, path) => {
    if (fits[role](settled)) return undefined;
    visit.refuse({ path, role, signedIn: settled.status === 'signed-in' });
    return '/';
  });

export const requireAdmin = requireRole('admin');

export const requireEditor = requireRole('editor');

export const requireMember = requireRole('member');

/** Guards a user's own pages, listed in `destinations`. Signed-out users sign in first and then return. */
export const requireSignedIn = (session: SessionStore) =>
  guard(session, (settled, path) => {
    if (settled.status === 'signed-in') return undefined;
    const [name] = [...destinations].find(([, page]) => path.startsWith(page)) ?? [];
    return `/login?${towards}=${name}`;
  });

/** Redirects signed-in users away from the sign-in form: members to /pro, other users to the home page. */
export const requireSignedOut = (session: SessionStore) =>
  guard(session, (settled) => {
    if (settled.status === 'signed-out') return undefined;
    return isMember(settled) ? '/pro' : '/';
  });

/** The path that opens after a sign-in, unless `pathAfterSignIn` finds a better one. */
export const startPathOf = (settled: SettledSession) => (isEditor(settled) ? '/admin' : '/minha-area');

/** The search parameter of the sign-in form that names the destination. */
export const towards = 'para';
const destinations = new Map([
  // Before /diario, with which these paths begin.
  ['anotar', '/diario/novo'],
  ['diario-compartilhar', '/diario/compartilhar'],
  ['lembrete', '/semana/lembrete'],
  ['consulta', '/diario/consulta'],
  ['diario', '/diario'],
  ['semana', '/semana'],
  ['aparelho', '/aparelho'],
  ['minha-area', '/minha-area'],
  // Before /account, with which this path begins.
  ['dados', '/account/dados'],
  ['conta', '/account'],
  ['minhas-praticas', '/minhas-praticas'],
  ['convite', '/convite'],
  ['email-novo', '/email-novo'],
  ['primeiro-acesso', '/primeiro-acesso?continuar=1'],
]);

/**
 * Returns the path that opens after a sign-in or sign-up on a page with these search parameters. The first
 * choice is the page that a guard refused earlier, if the user may open it now. The second choice is the page
 * that the parameters name. The third choice is the start page of the user's role.
 */
export function pathAfterSignIn(settled: SettledSession, search: URLSearchParams): string {
  const { wanted } = visit;
  visit.wanted = undefined;
  visit.homeNotice = undefined;
  if (wanted && fits[wanted.role](settled)) return wanted.path;
  const named = destinations.get(search.get(towards) ?? '');
  return named ?? startPathOf(settled);
}
