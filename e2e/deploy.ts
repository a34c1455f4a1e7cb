import type { Page, Route } from '@playwright/test';
import type { Site } from './site.ts';

/** Matches the file names of a build's scripts, which consist of a name and a hash of the content. */
const scriptNames = /([\w-]+-[\w-]{8}\.js)/g;

/**
 * Simulates a deploy while the page is open: every script gets a new name in pages and in imports, and the
 * old names return 404.
 */
export async function deploy(page: Page, site: Site) {
  await page.route(`${site.url}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname.startsWith('/static/js/')) return fulfillScript(route, pathname);
    const wantsPage = route.request().headers().accept?.includes('text/html');
    return wantsPage ? rename(route) : route.fallback();
  });
}

async function fulfillScript(route: Route, pathname: string) {
  const name = pathname.slice('/static/js/'.length);
  if (!name.startsWith('new-')) return route.fulfill({ status: 404 });
  return rename(route, route.request().url().replace('new-', ''));
}

async function rename(route: Route, url = route.request().url()) {
  const response = await route.fetch({ url, maxRedirects: 0 });
  const text = await response.text();
  await route.fulfill({ response, body: text.replaceAll(scriptNames, 'new-$1') });
}
