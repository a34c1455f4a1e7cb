import { useSearchParams } from 'react-router';
import { towards } from '#web/app/routes/guards.ts';
import { useHydrated } from '#web/components/use-hydrated.ts';

/** Returns a function that copies the destination parameter of this page's URL to the path of another form. */
export function useKeptDestination(): (path: string) => string {
  const [search] = useSearchParams();
  const destination = search.get(towards);
  // Prerendered links have no destination, and the first render of hydration must match them.
  const hydrated = useHydrated();
  return (path) =>
    hydrated && destination ? `${path}?${new URLSearchParams({ [towards]: destination })}` : path;
}
