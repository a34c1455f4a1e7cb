import { Suspense } from 'react';
import { lazyComponent } from '#web/app/lazy-component.ts';
import { useServices, useSession } from '#web/app/services.ts';
import { type FavouriteSlotProps, KeepLink } from './keep-link.tsx';

const FavouriteToggle = lazyComponent(
  'components/favourite-toggle',
  async () => (await import('./favourite-toggle.tsx')).FavouriteToggle,
);

/**
 * Adds a practice to the favourites. The prerendered page is the same for all readers, so it has a link to
 * the sign-up, which keeps the practice afterwards. For a signed-in user, a button replaces the link. Give it
 * a place where the change moves no other content. A preview has neither.
 */
export function FavouriteSlot(props: FavouriteSlotProps) {
  const session = useSession();
  const { basename } = useServices().content.site;
  if (basename !== undefined) return null;
  const link = <KeepLink {...props} />;
  if (session.status !== 'signed-in') return link;
  return (
    <Suspense fallback={link}>
      <FavouriteToggle uid={session.session.user.uid} {...props} placeholder={link} />
    </Suspense>
  );
}
