import '../styles/site.css';
import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import {
  createBrowserRouter,
  type DataRouter,
  matchRoutes,
  type RouteObject,
  RouterContextProvider,
} from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { createClient } from '#client/client.ts';
import { loadChunk } from '#client/load-chunk.ts';
import { devPorts } from '#contract/limits.ts';
import { hydrationDataId } from './hydration-data.ts';
import { isCodeMissing, reloadIfReplaced } from './reload-after-deploy.ts';
import { createRoutes } from './routes.tsx';
import type { Services } from './services.ts';
import { ServicesProvider, servicesContext } from './services-context.ts';
import { createSessionStore } from './session.ts';

start().catch(async (error: unknown) => {
  if (!isCodeMissing(error)) console.error(error);
  else if (await reloadIfReplaced()) return;
  // A finished page with a form says that it will not work.
  document.documentElement.dataset.withoutCode = '';
});

async function start() {
  nameManifest();
  const services = createServices();
  const routes = createRoutes(services);
  const data = document.getElementById(hydrationDataId)?.textContent;
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no #root');
  // Without its code a finished page stays as it is: it reads well and its links work.
  if (data) await resolveMatched(routes);

  const router = createBrowserRouter(routes, {
    ...(data && { hydrationData: JSON.parse(data) }),
    getContext: () => new RouterContextProvider(new Map([[servicesContext, services]])),
  });
  // The guards look again: this page may be for the person who was here before.
  services.session.followOtherTabs(() => void router.revalidate());
  const site = (
    <StrictMode>
      <ServicesProvider value={services}>
        <RouterProvider router={router} />
      </ServicesProvider>
    </StrictMode>
  );
  if (!data) return void createRoot(root).render(site);
  // In pieces, so that a touch is never kept waiting for the whole page.
  startTransition(() => void hydrateRoot(root, site));
  await guardFinished(router, services);
}

/** For the home screen of a phone. Not in the page itself: there it would take its place among what is painted first. */
function nameManifest() {
  const link = document.createElement('link');
  link.rel = 'manifest';
  link.href = '/site.webmanifest';
  document.head.append(link);
}

/** A finished page is shown to everybody; whoever turns out to be signed in may have no business there. */
async function guardFinished(router: DataRouter, { session }: Services) {
  if (!router.state.matches.some(({ route }) => route.middleware)) return;
  if ((await session.ready()).status === 'signed-in') await router.revalidate();
}

/** In development each service listens alone; everywhere else all share the page's own origin. */
function createServices(): Services {
  const at = (port: number) => `${window.location.protocol}//${window.location.hostname}:${port}`;
  const services = import.meta.env.DEV
    ? { auth: at(devPorts.auth), documents: at(devPorts.documents), storage: at(devPorts.storage) }
    : {};
  const client = createClient({
    ...services,
    loadSolver: () =>
      loadChunk('solve-in-worker', async () => (await import('./solve-in-worker.ts')).solveInWorker),
    loadUploadDevice: () =>
      loadChunk('upload-device', async () => (await import('./upload-device.ts')).uploadDevice),
  });
  return { client, session: createSessionStore(client) };
}

/** Hydration must find on its first render what the server rendered, so the page's code comes first. */
async function resolveMatched(routes: RouteObject[]) {
  const matched = matchRoutes(routes, window.location) ?? [];
  await Promise.all(
    matched.map(async ({ route }) => {
      if (typeof route.lazy === 'function') Object.assign(route, await route.lazy(), { lazy: undefined });
    }),
  );
}
