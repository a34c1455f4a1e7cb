import { test as base, expect, type Page } from '@playwright/test';
import { paths } from '#contract/paths.ts';
import { createPeople, type People, type Person, type Site, startSite } from './site.ts';

export { expect };

/** What a page did that it should not have done. */
type Watch = {
  /** Requests to other origins, none of which left this machine. */
  foreign: string[];
  /** Errors in the console and uncaught ones. A journey that provokes some empties this list. */
  problems: string[];
};

/**
 * A test whose page cannot reach other origins, and which fails when the page tried to, or when its
 * console shows an error: a broken content security policy shows there too.
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
        // The browser's own line about an answer of 400 or more; journeys check what the page makes of it.
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
 * A site of the spec file's own: there from before its first test until after its last.
 * @param environment settings of its server, asked for when it starts
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

/** Gives the page's browser a session of `person`, without going through the form. */
export async function signIn(page: Page, url: string, { email, password }: Person) {
  const answer = await page.request.post(url + paths.auth.signIn, {
    data: { email, password },
    headers: { origin: url },
  });
  expect(answer.status()).toBe(200);
}

/** Waits until a finished page's links are the router's: before that they load whole pages. */
export async function scriptStarted(page: Page) {
  await page.waitForFunction(() =>
    Object.keys(document.getElementById('root') ?? {}).some((key) => key.startsWith('__reactContainer')),
  );
}
