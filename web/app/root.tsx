import { Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Outlet, useLocation, useNavigationType, useRevalidator, useRouteError } from 'react-router';
import { codeMissingSentence, hasCode, unreachableSentence } from '#client/client-error.ts';
import { isOffline } from '#client/load-chunk.ts';
import { ErrorView, Loading } from '../components/layout/messages.tsx';
import { SiteLayout } from '../components/layout/site-layout.tsx';
import { ToastProvider } from '../components/toast.tsx';
import { lazyComponent } from './lazy-component.ts';
import { isCodeMissing, reloadIfReplaced, reloadPage } from './reload-after-deploy.ts';
import { useChosenUid, useServices, useSession } from './services.ts';
import { type Refusal, visit } from './visit.ts';

/** The warning before a session ends. If its code cannot be loaded, the page works without it. */
const SessionEnd = lazyComponent(
  'components/session-end',
  async () => (await import('../components/layout/session-end.tsx')).SessionEnd,
);

/** Asks before a new version of the site starts, on a device that is used without network. */
const UpdateNotice = lazyComponent(
  'offline/update-notice',
  async () => (await import('#web/offline/update-notice.tsx')).UpdateNotice,
);

/** Tells the visitor why a guard has redirected. If its code cannot be loaded, the page works without it. */
const RefusalToast = lazyComponent(
  'components/refusal-toast',
  async () => (await import('../components/layout/refusal-toast.tsx')).RefusalToast,
);

/**
 * The layout of all pages. It loads the session once and sets scroll position and focus after navigations.
 */
export function Root() {
  const { session } = useServices();
  const signedIn = useSession().status === 'signed-in';
  useEffect(() => {
    // If the call fails, guards and forms report the error, and the page treats the user as signed out.
    session.load().catch(() => undefined);
  }, [session]);
  usePlaceAfterNavigation();
  const chosen = useChosenUid() !== undefined;
  const refusal = useRefusal();
  return (
    <ToastProvider>
      <Outlet />
      {signedIn && (
        <Suspense>
          <SessionEnd />
        </Suspense>
      )}
      {chosen && (
        <Suspense>
          <UpdateNotice />
        </Suspense>
      )}
      {refusal && (
        <Suspense>
          <RefusalToast refusal={refusal} />
        </Suspense>
      )}
    </ToastProvider>
  );
}

/** Returns the last refusal of a guard. */
function useRefusal(): Refusal | undefined {
  const { key } = useLocation();
  const [refusal, setRefusal] = useState<Refusal>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: with `key`, it runs on every navigation.
  useEffect(() => {
    if (visit.untold) setRefusal(visit.untold);
    visit.untold = undefined;
  }, [key]);
  return refusal;
}

/**
 * Scroll positions by history entry. They stay in memory, so that nothing is stored in a visitor's browser.
 */
const positions = new Map<string, number>();

/**
 * Restores the scroll position after "back" or "forward". After other navigations, scrolls to the section
 * that the fragment names, or to the top of a new page. Moves the focus to the `<main>` of a new page.
 */
function usePlaceAfterNavigation() {
  const { key, hash, pathname } = useLocation();
  const type = useNavigationType();
  const shown = useRef<{ key: string; pathname: string }>(undefined);

  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = { key, pathname };
    if (before && before.key !== key) {
      const section = hash ? document.getElementById(decodeURIComponent(hash.slice(1))) : null;
      if (type === 'POP' && positions.has(key)) window.scrollTo(0, positions.get(key) ?? 0);
      else if (section) section.scrollIntoView();
      else if (before.pathname !== pathname) window.scrollTo(0, 0);
      if (before.pathname !== pathname) {
        // When the user returns to a page, focus the link through which they had left it.
        const left =
          type === 'POP' && document.querySelector<HTMLElement>(`main a[href="${before.pathname}"]`);
        (left || document.querySelector('main'))?.focus({ preventScroll: true });
      }
    }
    const remember = () => positions.set(key, window.scrollY);
    window.addEventListener('scroll', remember, { passive: true });
    return () => window.removeEventListener('scroll', remember);
  }, [key, hash, pathname, type]);

  useEffect(() => {
    window.history.scrollRestoration = 'manual';
    // Let the browser restore the position after a reload.
    const giveBack = () => {
      window.history.scrollRestoration = 'auto';
    };
    window.addEventListener('pagehide', giveBack);
    return () => window.removeEventListener('pagehide', giveBack);
  }, []);
}

/** The page for an unexpected error. It shows a sentence for users and never the error itself. */
export function RootError() {
  const error = useRouteError();
  const codeMissing = isCodeMissing(error);
  const { revalidate } = useRevalidator();
  const [checking, setChecking] = useState(codeMissing);

  useEffect(() => {
    if (!codeMissing) return;
    void reloadIfReplaced().then((reloading) => setChecking(reloading));
  }, [codeMissing]);

  if (checking) return <Loading />;
  const offline = hasCode(error, 'client/offline');
  return (
    <SiteLayout>
      <ErrorView
        title={offline ? 'Sem conexão' : 'Algo deu errado'}
        // Reload only if code is missing: without a connection, the browser's error page would replace ours.
        again={() => (codeMissing ? reloadPage() : void revalidate())}
        reloadsHome={codeMissing && !isOffline()}
      >
        {sentenceOf(error)}
      </ErrorView>
    </SiteLayout>
  );
}

function sentenceOf(error: unknown): string {
  if (isCodeMissing(error)) return codeMissingSentence();
  if (hasCode(error, 'client/offline')) return unreachableSentence;
  return 'Foi do nosso lado. Você pode tentar de novo ou voltar ao início.';
}
