import { useSearchParams } from 'react-router';
import { towards } from '#web/app/routes/guards.ts';
import { useHydrated } from '#web/components/use-hydrated.ts';

/** Returns a function that adds the destination after the sign-in to the path of another form. */
export function useKeptDestination(): (path: string) => string {
  const [search] = useSearchParams();
  const destination = search.get(towards);
  // A prerendered page has no destination, and hydration must match that page.
  const hydrated = useHydrated();
  return (path) =>
    hydrated && destination ? `${path}?${new URLSearchParams({ [towards]: destination })}` : path;
}
