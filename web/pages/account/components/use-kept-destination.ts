import { useSearchParams } from 'react-router';
import { towards } from '#web/app/routes/guards.ts';
import { useHydrated } from '#web/components/use-hydrated.ts';

/** Returns a function that copies the destination parameter of this page's URL to another form's path. */
export function useKeptDestination(): (path: string) => string {
  const [search] = useSearchParams();
  const destination = search.get(towards);
  // The links in prerendered HTML have no destination, and hydration must first render the same links.
  const hydrated = useHydrated();
  return (path) =>
    hydrated && destination ? `${path}?${new URLSearchParams({ [towards]: destination })}` : path;
}
