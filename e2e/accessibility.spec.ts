import type { Page } from '@playwright/test';
import {
  expectFits,
  expectNoViolations,
  expectWalkable,
  pagesOf,
  type Stage,
  type State,
} from './accessible.ts';
import { groups } from './accessible-states.ts';
import { forcedColorStates } from './forced-colors.ts';
import { test as base, expect, inFullIf, scriptStarted, signIn } from './journey.ts';
import { expectCutNowhere, expectRoomForLargeText, fillLongWords, longWordStates } from './large-text.ts';
import { fillLibrary, startSiteWithUsers } from './site.ts';

/** WCAG 1.4.10 asks that pages fit a width of 320 pixels. */
const narrow = { width: 320, height: 800 };
const wide = { width: 1280, height: 800 };
/** The wide window at 200 % (WCAG 1.4.4). Zoom halves the sizes in CSS pixels, and changes no colour. */
const zoomed = { width: 640, height: 400 };
/** Further sizes, at which pages are checked without axe. */
const otherSizes = [
  { width: 768, height: 1024 },
  { width: 1920, height: 1080 },
];

/** Each test has its own server, because states change its data. */
const test = base.extend<{ stage: Stage }>({
  async stage({ page, watch }, use) {
    const { site, users } = await startSiteWithUsers();
    page.on('dialog', (dialog) => void dialog.accept());
    await use({ page, site, users, watch });
    await site.stop();
    // The state with a playing video asks for the player of YouTube.
    watch.foreign = watch.foreign.filter((url) => !url.startsWith('https://www.youtube-nocookie.com/'));
  },
});

test.describe.configure({ timeout: 300_000 });

/** Brings the page into each state and runs `check`. A state that fails does not hide the states after it. */
async function visit(stage: Stage, states: State[], check: (state: State) => Promise<unknown>, size = wide) {
  let isLost = false;
  for (const state of states) {
    if (isLost && state.path === undefined) continue;
    await test.step(state.name, async () => {
      try {
        await stage.page.setViewportSize(size === wide ? (state.onlyAt ?? size) : size);
        await enter(stage, state);
        isLost = false;
        await check(state);
      } catch (error) {
        isLost = true;
        expect.soft(String(error), state.name).toBe('');
      }
    });
  }
}

/** Opens the path of the state as its user, and brings the page into the state. */
async function enter(stage: Stage, { path, role, prepare, shows }: State) {
  const { page, site, users } = stage;
  if (path !== undefined) {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.context().setOffline(false);
    await page.context().clearCookies();
    const user = role && users[role];
    if (user) await signIn(page, site.url, user);
    await page.goto(site.url + (typeof path === 'string' ? path : await path(stage)));
    await expect(page.locator('h1')).toHaveCount(1);
    await contentLoaded(page);
  }
  await prepare?.(stage);
  if (shows !== undefined) await expect(page.getByText(shows).first()).toBeVisible();
}

/** Waits for the code and the content of a page that load late. */
async function contentLoaded(page: Page) {
  await scriptStarted(page);
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await expect(page.getByText('Loading...', { exact: true })).toHaveCount(0);
}

/** A whole page, because nothing prepares it. */
const isPage = ({ path, prepare }: State) => path !== undefined && prepare === undefined;

for (const group of groups)
  test(
    `pages in a narrow window: ${group.name}`,
    inFullIf(!/visitors|account/.test(group.name)),
    async ({ stage }) => {
      await group.fill(stage);
      const check = async ({ name }: State) => {
        await expectNoViolations(stage.page, name, ['light']);
        await expectFits(stage.page, name);
      };
      await visit(stage, group.states.filter(isPage), check, narrow);
    },
  );

test('Tab leads through the public pages, and every stop is in view and shows the focus', async ({
  stage,
}) => {
  await fillLibrary(stage.users.admin);
  const pages = pagesOf(['/', '/practices', '/login']);
  await visit(stage, pages, ({ name }) => expectWalkable(stage.page, name));
});

test.describe('at the full level', { tag: '@full' }, () => {
  for (const group of groups) {
    test(`every state, wide, zoomed and at other sizes: ${group.name}`, async ({ stage }) => {
      const { page } = stage;
      await group.fill(stage);
      await visit(stage, group.states, async (state) => {
        const { name, onlyAt = wide } = state;
        await expectNoViolations(page, `${name}, ${onlyAt.width} px`);
        await expectFits(page, `${name}, ${onlyAt.width} px`);
        if (onlyAt !== wide) return;
        await page.setViewportSize(zoomed);
        await expectNoViolations(page, `${name}, zoomed`, ['light']);
        for (const size of isPage(state) ? [zoomed, ...otherSizes] : [zoomed, narrow, ...otherSizes]) {
          await page.setViewportSize(size);
          await expectFits(page, `${name}, ${size.width} px`);
        }
      });
    });

    test(`with the Tab key: ${group.name}`, async ({ stage }) => {
      await group.fill(stage);
      const states = group.states.filter((state) => state.isWalked ?? isPage(state));
      await visit(stage, states, ({ name }) => expectWalkable(stage.page, name));
    });

    test(`with large text and long names: ${group.name}`, async ({ stage }) => {
      await group.fill(stage);
      await fillLongWords(stage);
      const check = ({ name }: State) => expectRoomForLargeText(stage.page, name);
      await visit(stage, group.states.filter(isPage), check);
    });
  }

  test('a word that is longer than the window breaks', async ({ stage }) => {
    await fillLibrary(stage.users.admin);
    await fillLongWords(stage);
    await visit(stage, longWordStates, ({ name }) => expectCutNowhere(stage.page, name), narrow);
  });

  test('forced colours show what is chosen, and borders', async ({ stage }) => {
    await fillLibrary(stage.users.admin);
    await stage.page.emulateMedia({ forcedColors: 'active' });
    await visit(stage, forcedColorStates, async () => undefined);
  });
});
