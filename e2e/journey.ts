import { test as base, expect, type Page } from '@playwright/test';
import { paths } from '#contract/paths.ts';
import { createPeople, type People, type Person, type Site, startSite } from './site.ts';

export { expect };

/** Forbidden actions of a page. */
type Watch = {
  /** Requests to other origins. They were blocked on this machine. */
  foreign: string[];
  /** Console errors and uncaught errors. A test that provokes errors empties this list. */
  problems: string[];
};

/**
 * A test whose page cannot reach other origins. It fails when the page tries to, or when the console shows an
 * error, for example a violation of the content security policy.
 */
export const test = base.extend<{ watch: Watch }>({
  watch: [
    async ({ context }, use) => {
      const watch: Watch = { foreign: [], problems: [] };
      await context.route(
        (url) => url.hostname !== 'localhost',
        async (route) => {
          watch.foreign.push(route.request().url());
          await route.fulfill({ body: '' });
        },
      );
      context.on('console', (message) => {
        // The browser logs every answer of 400 or more; tests check how the page handles it.
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

/**
 * Starts a site for the spec file before its first test and stops it after its last.
 * @param environment settings of its server, read when it starts
 */
export function siteForTests(environment: () => Record<string, string> = () => ({})): Site {
  const site = {} as Site;
  test.beforeAll(async () => {
    Object.assign(site, await startSite(environment()));
  });
  test.afterAll(async () => site.stop());
  return site;
}

/** The same with one account of each role. */
export function siteWithPeople(environment?: () => Record<string, string>): {
  site: Site;
  people: People;
} {
  const site = siteForTests(environment);
  const people = {} as People;
  test.beforeAll(async () => {
    Object.assign(people, await createPeople(site));
  });
  return { site, people };
}

/** Signs the page's browser in as `person` without the form. */
export async function signIn(page: Page, url: string, { email, password }: Person) {
  const answer = await page.request.post(url + paths.auth.signIn, {
    data: { email, password },
    headers: { origin: url },
  });
  expect(answer.status()).toBe(200);
}

/** Waits until the router handles the links of a prerendered page; before that, they load whole pages. */
export async function scriptStarted(page: Page) {
  await page.waitForFunction(() =>
    Object.keys(document.getElementById('root') ?? {}).some((key) => key.startsWith('__reactContainer')),
  );
}
