import { useEffect } from 'react';
import { useRevalidator } from 'react-router';
import { useLastSignedIn } from '#web/app/services.ts';

/**
 * Returns the user of a page that shows what its loader has loaded for one user: also while the session loads
 * or has ended, so that no text in a form is lost. For another user, the loader runs again.
 * @param uid the user for whom the loader ran; empty if there was none
 * @returns undefined while the page must show nothing of it
 */
export function useOwner(uid: string) {
  const user = useLastSignedIn()?.session.user;
  const { revalidate } = useRevalidator();
  const isOther = user !== undefined && user.uid !== uid;
  useEffect(() => {
    if (isOther) void revalidate();
  }, [isOther, revalidate]);
  return isOther ? undefined : user;
}
