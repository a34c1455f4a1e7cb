import { type MiddlewareFunction, redirect } from 'react-router';
import { isAdmin, isMember, type SessionStore, type SettledSession } from './session.ts';

/**
 * Route middleware: it waits for the session and the user record, and no loader or page of the routes below
 * runs before it has passed. The server enforces the same rules by itself, on every call.
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

/** For the page about the person: whoever is signed out signs in first, and then comes back to it. */
export const requireSignedIn = (session: SessionStore) =>
  guard(session, (settled) => (settled.status === 'signed-in' ? undefined : `/login?${towards}=conta`));

/** Signed-in people have no business at the sign-in form: members go to /pro, everybody else to the home page. */
export const requireSignedOut = (session: SessionStore) =>
  guard(session, (settled) => (settled.status === 'signed-out' ? undefined : homeOf(settled)));

/** Where a person lands after signing in. */
export const homeOf = (settled: SettledSession) => (isMember(settled) ? '/pro' : '/');

/** Says in the address of the sign-in form where its person was going; only places named here count. */
const towards = 'para';

/** Where a person lands who signs in at this address. */
export const landingOf = (settled: SettledSession, search: URLSearchParams) =>
  search.get(towards) === 'conta' ? '/account' : homeOf(settled);
