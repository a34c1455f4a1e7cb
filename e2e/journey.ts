import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import { paths } from '#contract/paths.ts';
import { type Site, startSite, startSiteWithUsers, type TestUser, type TestUsers } from './site.ts';

export { expect };

/** Requests and errors that make a test fail even if its own checks pass. */
export type Watch = {
  /** Requests to other machines. They fail, because the browser resolves only the names of this machine. */
  foreign: string[];
  /** Console errors and uncaught errors. A test that provokes errors empties this list. */
  problems: string[];
};

/**
 * A test whose page cannot reach other hosts. The test fails when the page requests one, or when the console
 * shows an error, for example a violation of the content security policy.
 */
export const test = base.extend<{ watch: Watch }>({
  watch: [
    async ({ context }, use) => {
      const watch: Watch = { foreign: [], problems: [] };
      recordForeign(context, watch.foreign);
      context.on('console', (message) => {
        // The browser logs every response with a status of 400 or more; tests check how the page handles it.
        const expected = message.text().startsWith('Failed to load resource');
        if (message.type() === 'error' && !expected) watch.problems.push(message.text());
      });
      context.on('weberror', (error) => watch.problems.push(String(error.error())));
      await use(watch);
      expect(watch.problems, 'no errors in the console').toEqual([]);
      expect(watch.foreign, 'no request to another origin').toEqual([]);
    },
    { auto: true },
  ],
});

/** For tests in a loop: the details of one that runs only at the full level if `condition` is true. */
export const inFullIf = (condition: boolean) => (condition ? { tag: '@full' } : {});

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Adds the URL of every request to a host other than this machine to `urls`. */
export function recordForeign(context: BrowserContext, urls: string[]) {
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol.startsWith('http') && !loopbackNames.has(hostname)) urls.push(request.url());
  });
}

/**
 * Starts a site for the spec file before its first test and stops it after its last.
 * @param environment returns the server's settings; called when the server starts
 */
export function siteForTests(environment: () => Record<string, string> = () => ({})): Site {
  const site = {} as Site;
  test.beforeAll(async () => {
    Object.assign(site, await startSite(environment()));
  });
  test.afterAll(async () => site.stop());
  return site;
}

/** Like `siteForTests`, but the site has one user of each role. */
export function siteWithUsers(environment: () => Record<string, string> = () => ({})): {
  site: Site;
  users: TestUsers;
} {
  const site = {} as Site;
  const users = {} as TestUsers;
  test.beforeAll(async () => {
    const started = await startSiteWithUsers(environment());
    Object.assign(site, started.site);
    Object.assign(users, started.users);
  });
  test.afterAll(async () => site.stop());
  return { site, users };
}

/** Signs in the browser of `page` with the session of the user's API client. */
export async function signIn(page: Page, url: string, { cookies }: TestUser) {
  await page
    .context()
    .addCookies([...cookies].map(([name, value]) => ({ name, value, url, httpOnly: true, sameSite: 'Lax' })));
}

/** Signs in the browser of `page` with a new session. Its end does not sign out the user's API client. */
export async function signInAnew(page: Page, url: string, { email, password }: TestUser) {
  const response = await page.request.post(url + paths.auth.signIn, {
    data: { email, password },
    headers: { origin: url },
  });
  expect(response.status()).toBe(200);
}

/** Signs out by opening /logout. */
export async function signOut(page: Page, url: string) {
  await page.goto(`${url}/logout`);
  await expect(page).toHaveURL(`${url}/`);
}

/**
 * Waits until React has hydrated or rendered the page. Until then, links load whole pages, and hydration
 * reports an error if something else has changed the page.
 */
export async function scriptStarted(page: Page) {
  await page.waitForFunction(() => {
    const fibers = Object.entries(document.getElementById('root') ?? {}) as [string, RootFiber][];
    return fibers.some(
      ([key, { stateNode }]) => key.startsWith('__reactContainer') && stateNode.current.child,
    );
  });
}

/** What React stores at its root element. There is no child before the first rendering is complete. */
type RootFiber = { stateNode: { current: { child: unknown } } };

/** Fills the `localStorage` of the open site with smaller and smaller texts, to the last character. */
export const fillStorage = (page: Page) =>
  page.evaluate(() => {
    for (let size = 2 ** 23; size >= 1; size /= 2)
      try {
        localStorage.setItem(`cheio-${size}`, 'x'.repeat(size));
      } catch {
        // The storage has no room for a text of this size.
      }
  });

/** Chooses an option in one of the three menus of /practices. */
export async function chooseFilter(page: Page, menu: 'Tipo' | 'Tempo' | 'Ordem', option: string) {
  const filters = page.getByRole('navigation', { name: 'Filtros' });
  await filters.locator('summary', { hasText: menu }).click();
  await filters.getByRole('link', { name: option, exact: true }).click();
}
