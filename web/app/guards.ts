import { type MiddlewareFunction, redirect } from 'react-router';
import { isAdmin, isMember, type SessionStore, type SettledSession } from './session.ts';

/**
 * Route middleware that waits for the session and the user record. The loaders and pages of the routes below
 * run after it. The server enforces the same rules on every call.
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
  guard(session, (settled) => (settled.status === 'signed-out' ? undefined : homeOf(settled)));

/** The address that a user goes to after signing in. */
export const homeOf = (settled: SettledSession) => (isMember(settled) ? '/pro' : '/');

/**
 * The search parameter of the sign-in form that holds the destination. Only the destinations named here are
 * valid.
 */
const towards = 'para';

/** The destination after a sign-in at this address. */
export const landingOf = (settled: SettledSession, search: URLSearchParams) =>
  search.get(towards) === 'conta' ? '/account' : homeOf(settled);
