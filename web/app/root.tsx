import { Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import { Outlet, useLocation, useNavigationType } from 'react-router';
import { ToastProvider } from '../components/toast.tsx';
import { lazyComponent } from './lazy-component.ts';
import { useServices } from './services-context.ts';
import { useSession } from './use-session.ts';

/** Without its code a signed-in person is not warned. */
const SessionEnd = lazyComponent(
  'components/session-end',
  async () => (await import('../components/layout/session-end.tsx')).SessionEnd,
);

/** Around every page: the session is read once, and each navigation starts where a reader expects it. */
export function Root() {
  const { session } = useServices();
  const signedIn = useSession().status === 'signed-in';
  useEffect(() => {
    // Guards and forms say what went wrong; here a failure only means that nobody is shown as signed in.
    session.load().catch(() => undefined);
  }, [session]);
  usePlaceAfterNavigation();
  return (
    <ToastProvider>
      <Outlet />
      {signedIn && (
        <Suspense>
          <SessionEnd />
        </Suspense>
      )}
    </ToastProvider>
  );
}

/** Scroll positions by history entry. In memory only: a visitor's browser is left as it was found. */
const positions = new Map<string, number>();

/** After a navigation: the top or the named section, or where the reader was when going back; focus follows. */
function usePlaceAfterNavigation() {
  const { key, hash, pathname } = useLocation();
  const type = useNavigationType();
  const shown = useRef<{ key: string; pathname: string }>(undefined);

  useBrowserLayoutEffect(() => {
    const before = shown.current;
    shown.current = { key, pathname };
    if (before && before.key !== key) {
      const section = hash ? document.getElementById(decodeURIComponent(hash.slice(1))) : null;
      if (type === 'POP' && positions.has(key)) window.scrollTo(0, positions.get(key) ?? 0);
      else if (section) section.scrollIntoView();
      else if (before.pathname !== pathname) window.scrollTo(0, 0);
      if (before.pathname !== pathname) document.querySelector('main')?.focus({ preventScroll: true });
    }
    const remember = () => positions.set(key, window.scrollY);
    window.addEventListener('scroll', remember, { passive: true });
    return () => window.removeEventListener('scroll', remember);
  }, [key, hash, pathname, type]);

  useEffect(() => {
    window.history.scrollRestoration = 'manual';
    // A reload is the browser's own business.
    const giveBack = () => {
      window.history.scrollRestoration = 'auto';
    };
    window.addEventListener('pagehide', giveBack);
    return () => window.removeEventListener('pagehide', giveBack);
  }, []);
}

/** On the server there is no layout to wait for. */
const useBrowserLayoutEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect;
