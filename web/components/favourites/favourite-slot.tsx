import { Suspense } from 'react';
import { lazyComponent } from '#web/app/lazy-component.ts';
import { useServices } from '#web/app/services-context.ts';
import { useSession } from '#web/app/use-session.ts';
import type { FavouriteToggleProps } from './favourite-toggle.tsx';

const FavouriteToggle = lazyComponent(
  'components/favourite-toggle',
  async () => (await import('./favourite-toggle.tsx')).FavouriteToggle,
);

/**
 * The button that keeps a practice, for signed-in users. Every visitor gets the same page, so it appears after
 * hydration: its place must not move anything. A preview shows the page as visitors see it.
 */
export function FavouriteSlot(props: FavouriteToggleProps) {
  const session = useSession();
  const { basename } = useServices().content;
  if (session.status !== 'signed-in' || basename !== undefined) return null;
  return (
    <Suspense>
      <FavouriteToggle uid={session.session.user.uid} {...props} />
    </Suspense>
  );
}
