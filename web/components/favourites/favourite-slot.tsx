import { Suspense } from 'react';
import { lazyComponent } from '#web/app/lazy-component.ts';
import { useServices, useSession } from '#web/app/services.ts';
import type { FavouriteToggleProps } from './favourite-toggle.tsx';

const FavouriteToggle = lazyComponent(
  'components/favourite-toggle',
  async () => (await import('./favourite-toggle.tsx')).FavouriteToggle,
);

/**
 * The button that adds a practice to a signed-in user's favourites. The prerendered page is the same for all
 * readers, so the button appears only after hydration. Give it a place where its appearance moves no other
 * content. A preview shows the page as visitors see it, without the button.
 */
export function FavouriteSlot(props: FavouriteToggleProps) {
  const session = useSession();
  const { basename } = useServices().content.site;
  if (session.status !== 'signed-in' || basename !== undefined) return null;
  return (
    <Suspense>
      <FavouriteToggle uid={session.session.user.uid} {...props} />
    </Suspense>
  );
}
