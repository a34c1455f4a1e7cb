import type { Page, Route } from '@playwright/test';
import type { Site } from './site.ts';

/** The scripts of a build by their file names: a name, and a hash of what it holds. */
const scriptNames = /([\w-]+-[\w-]{8}\.js)/g;

/**
 * Deploys a new build under the open page: every script has another name from now on, in the pages and in the scripts
 * that name each other, and those with the old names are gone.
 */
export async function deploy(page: Page, site: Site) {
  await page.route(`${site.url}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname.startsWith('/static/js/')) return answerScript(route, pathname);
    const wantsPage = route.request().headers().accept?.includes('text/html');
    return wantsPage ? rename(route) : route.fallback();
  });
}

async function answerScript(route: Route, pathname: string) {
  const name = pathname.slice('/static/js/'.length);
  if (!name.startsWith('new-')) return route.fulfill({ status: 404 });
  return rename(route, route.request().url().replace('new-', ''));
}

async function rename(route: Route, url = route.request().url()) {
  const response = await route.fetch({ url, maxRedirects: 0 });
  const text = await response.text();
  await route.fulfill({ response, body: text.replaceAll(scriptNames, 'new-$1') });
}
