import { type MiddlewareFunction, redirect } from 'react-router';
import { isAdmin, isMember, type SessionStore, type SettledSession } from './session.ts';

/**
 * Creates route middleware that waits for the session and the user record, then redirects or continues. It
 * runs before the loaders of the route and of its child routes. The server checks permissions on every call.
 */
function guard(session: SessionStore, redirectFor: (settled: SettledSession) => string | undefined) {
  const middleware: MiddlewareFunction = async () => {
    const target = redirectFor(await session.ready());
    if (target) throw redirect(target);
  };
  return middleware;
}

export const requireAdmin = (session: SessionStore) =>
  guard(session, (settled) => (isAdmin(settled) ? undefined : '/'));

export const requireMember = (session: SessionStore) =>
  guard(session, (settled) => (isMember(settled) ? undefined : '/'));

/** For the account page: a signed-out user signs in first and then returns to it. */
export const requireSignedIn = (session: SessionStore) =>
  guard(session, (settled) => (settled.status === 'signed-in' ? undefined : `/login?${towards}=conta`));

/** Redirects signed-in users away from the sign-in form: members to /pro, other users to the home page. */
export const requireSignedOut = (session: SessionStore) =>
  guard(session, (settled) => (settled.status === 'signed-out' ? undefined : startPathOf(settled)));

/** The path that a user goes to after signing in. */
export const startPathOf = (settled: SettledSession) => (isMember(settled) ? '/pro' : '/');

/** The search parameter of the sign-in form that names the destination. */
export const towards = 'para';
const destinations = new Map([
  ['conta', '/account'],
  ['primeiro-acesso', '/primeiro-acesso?continuar=1'],
]);

/** The destination after a sign-in on a page with these search parameters. */
export const pathAfterSignIn = (settled: SettledSession, search: URLSearchParams) =>
  destinations.get(search.get(towards) ?? '') ?? startPathOf(settled);
