import '../styles/site.css';
import { StrictMode, startTransition } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import {
  createBrowserRouter,
  type DataRouter,
  matchRoutes,
  type RouteObject,
  RouterContextProvider,
} from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { loadChunk } from '#client/load-chunk.ts';
import { reportFilledFields } from '#web/components/form/filled-fields.ts';
import { fetchedPageData, findSession } from './api.ts';
import { chosenUid } from './device-memory.ts';
import { restoreTypedFields } from './kept-fields.ts';
import { loadOffline } from './load-offline.ts';
import { isCodeMissing, reloadForCode } from './reload-after-deploy.ts';
import { addAdminRoutes, createRoutes } from './routes/routes.tsx';
import type { Services } from './services.ts';
import { ServicesProvider, servicesContext } from './services.ts';
import { createSessionStore } from './session.ts';
import { hydrationDataId, openSiteContent } from './site-content.ts';

start().catch(async (error: unknown) => {
  if (!isCodeMissing(error)) console.error(error);
  else if (await reloadForCode()) return;
  // With this attribute, a prerendered page tells the user that its form does not work.
  document.documentElement.dataset.withoutCode = '';
});

async function start() {
  await nextTask();
  linkManifest();
  restoreTypedFields();
  reportFilledFields();
  const services: Services = {
    pageData: fetchedPageData,
    session: createSessionStore(findSession, async () => (await loadOffline())?.findKeptSession()),
    content: await openSiteContent(async () => (await loadOffline())?.findKeptContent()),
  };
  const routes = createRoutes(services);
  const data = document.getElementById(hydrationDataId)?.textContent;
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no #root');
  // Load the page's code before hydration. If that fails, the prerendered page and its links still work.
  const { basename } = services.content.site;
  if (data) {
    await resolveMatched(routes, basename);
    await nextTask();
  }

  const router = createBrowserRouter(routes, {
    ...(data && { hydrationData: JSON.parse(data) }),
    ...(basename && { basename }),
    patchRoutesOnNavigation: addAdminRoutes(services),
    getContext: () => new RouterContextProvider(new Map([[servicesContext, services]])),
  });
  if (chosenUid() !== undefined && !basename)
    // If this code cannot be loaded, the site works without it.
    loadChunk('offline', () => import('#web/offline/start.ts')).then(
      ({ startOffline }) => startOffline(services, router),
      () => undefined,
    );
  // When another tab changes the session, run the guards again, because the user may have changed.
  services.session.followOtherTabs(() => void router.revalidate());
  const siteWith = (given: Services) => (
    <StrictMode>
      <ServicesProvider value={given}>
        <RouterProvider router={router} />
      </ServicesProvider>
    </StrictMode>
  );
  let page: Root | undefined;
  // A transition does not block interactions. A preview hydrates at once, because the editor's first message
  // can arrive before a transition has ended, and React would then discard the server's HTML.
  const hydrate = basename ? flushSync : startTransition;
  if (data)
    hydrate(() => {
      page = hydrateRoot(root, siteWith(services));
    });
  else {
    page = createRoot(root);
    page.render(siteWith(services));
  }
  if (basename) {
    const { startLivePreview } = await loadChunk('live-preview', () => import('./preview/live-preview.ts'));
    startLivePreview(services, (given) => page?.render(siteWith(given)));
  }
  if (data) await guardPrerendered(router, services);
}

/**
 * Ends the browser's current task. Without this, the evaluation of a large chunk and the work after it would
 * be one long task, during which a slow phone does not react to touches.
 */
function nextTask() {
  return new Promise<void>((resolve) => setTimeout(resolve));
}

/**
 * Links the web app manifest, which phones use for an icon on the home screen. If the HTML contained the
 * link, the download of the manifest would delay the first paint.
 */
function linkManifest() {
  const link = document.createElement('link');
  link.rel = 'manifest';
  link.href = '/site.webmanifest';
  document.head.append(link);
}

/**
 * Runs the guards of a prerendered page. The server sends the same page to every visitor, but the guards may
 * redirect a signed-in user.
 */
async function guardPrerendered(router: DataRouter, { session }: Services) {
  if (!router.state.matches.some(({ route }) => route.middleware)) return;
  if ((await session.ready()).status === 'signed-in') await router.revalidate();
}

/** Loads the code of the page's routes before hydration, because hydration must match the server's HTML. */
async function resolveMatched(routes: RouteObject[], basename = '/') {
  const matched = matchRoutes(routes, window.location, basename) ?? [];
  await Promise.all(
    matched.map(async ({ route }) => {
      if (typeof route.lazy === 'function') Object.assign(route, await route.lazy(), { lazy: undefined });
    }),
  );
}
