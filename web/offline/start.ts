import type { DataRouter } from 'react-router';
import { hasCode } from '#client/client-error.ts';
import type { Services } from '#web/app/services.ts';
import { isKept, refreshKept } from './device.ts';
import { publicPageKey, type WorkerRequest } from './kept.ts';

/** Starts what a device needs whose user has chosen to use the site without network. */
export function startOffline(services: Services, router: DataRouter): void {
  if (!('serviceWorker' in navigator)) return;
  openKeptPages(services, router);
  keepOpenedPages(router);
  // Without network, the worker and what it keeps stay as they are.
  refreshKept().catch(() => undefined);
}

/**
 * Without network, opens a kept page as a new document, because the kept HTML contains the data that a
 * navigation inside the site would have to load. The loaders of a document's own page change nothing here.
 */
function openKeptPages(services: Services, router: DataRouter) {
  const orOpen =
    <Input extends unknown[], Output>(read: (...input: Input) => Promise<Output>) =>
    async (...input: Input): Promise<Output> => {
      try {
        return await read(...input);
      } catch (error) {
        const { location } = router.state.navigation;
        if (!location || !hasCode(error, 'client/offline') || !(await isKept(location))) throw error;
        window.location.assign(location.pathname + location.search + location.hash);
        // The present page stays until the browser has opened the new one.
        return new Promise<never>(() => {});
      }
    };
  const { pageData, content } = services;
  services.content = { ...content, load: orOpen(content.load) };
  services.pageData = {
    ...pageData,
    practices: orOpen(pageData.practices),
    practicePage: orOpen(pageData.practicePage),
  };
}

/** Asks the worker to keep the pages that the router opens, because it does not request their HTML. */
function keepOpenedPages(router: DataRouter) {
  let { pathname: before } = router.state.location;
  router.subscribe(({ location, navigation }) => {
    if (navigation.state !== 'idle' || location.pathname === before) return;
    before = location.pathname;
    if (publicPageKey(location) !== undefined)
      navigator.serviceWorker.controller?.postMessage({
        type: 'keep',
        path: location.pathname + location.search,
      } satisfies WorkerRequest);
  });
}
