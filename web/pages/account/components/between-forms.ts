import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { towards } from '#web/app/routes/guards.ts';
import { wantedIn, wantedParam } from '#web/components/favourites/wanted-path.ts';
import { useHydrated } from '#web/components/use-hydrated.ts';

/** The email address stays in memory, because the browser would store a URL in its history. */
let carried = '';

/** Passes an email address from one form to the next. */
export function carryEmail(email: string) {
  carried = email;
}

/** Returns the email address that the previous form has passed, or an empty string. */
export function useCarriedEmail(): string {
  const [email] = useState(() => carried);
  useEffect(() => carryEmail(''), []);
  return email;
}

/**
 * Returns a function that adds what follows the sign-in (the page that opens, the practice that is kept), if
 * this page's URL names it, to the path of another page of accounts.
 */
export function useKeptDestination(): (path: string) => string {
  const [search] = useSearchParams();
  const kept = new URLSearchParams(
    [...search].filter(([name]) => name === towards || name === wantedParam),
  ).toString();
  // The links in prerendered HTML have no parameters, and hydration must first render the same links.
  const hydrated = useHydrated();
  return (path) => (hydrated && kept ? `${path}?${kept}` : path);
}

/** Returns the id of the practice that this page's URL names; undefined until hydration. */
export function useWantedPractice(): string | undefined {
  const [search] = useSearchParams();
  const hydrated = useHydrated();
  return hydrated ? wantedIn(search) : undefined;
}
