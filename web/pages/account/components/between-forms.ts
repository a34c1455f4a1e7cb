import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { towards } from '#web/app/routes/guards.ts';
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
 * Returns a function that adds the destination in this page's URL (the page to open after the sign-in), if
 * there is one, to the path of another page of accounts.
 */
export function useKeptDestination(): (path: string) => string {
  const [search] = useSearchParams();
  const destination = search.get(towards);
  // The links in prerendered HTML have no destination, and hydration must first render the same links.
  const hydrated = useHydrated();
  return (path) =>
    hydrated && destination ? `${path}?${new URLSearchParams({ [towards]: destination })}` : path;
}
