import type { Page } from '@playwright/test';
import { overflowOf } from './accessible.ts';
import { expect, signIn, siteWithUsers, test } from './journey.ts';
import config from './playwright.config.ts';
import { fillLibrary, type TestUser } from './site.ts';

const launch = config.use?.launchOptions;

/** Names of 35 and 60 characters. */
const names = [
  'Clínica Doutora Ana Maria de Moraes',
  'Clínica de Psiquiatria e Psicoterapia Maria de Albuquerque S',
];
/** A word that is wider than a phone, like a pasted URL. */
const longWord = 'Respira'.repeat(12);

const { site, users } = siteWithUsers();
let longId = '';

test.beforeAll(async () => {
  const { documents } = users.admin.client;
  await fillLibrary(users.admin);
  const url = 'https://youtu.be/aBcDeFgHiJ0';
  const long = { title: longWord, content: `${longWord}\n\n- ${longWord}`, url };
  longId = (await documents.createActivity({ ...long, axis: 'mind' })).id;
  const text = {
    ...long,
    axis: 'mind',
    title: `Só texto ${longWord}`,
    url: `https://example.com/${longWord}`,
  };
  await documents.createActivity({ ...text, axis: 'mind' });
});

const pages: [path: string, who: 'visitor' | 'patient' | 'admin'][] = [
  ...['/', '/about', '/practices', '/privacidade', '/login', '/login/recover', '/register', '/nada'].map(
    (path): [string, 'visitor'] => [path, 'visitor'],
  ),
  ['/account', 'patient'],
  ...['/pro', '/admin', '/admin/newact', '/admin/mind', '/admin/users', '/participants'].map(
    (path): [string, 'admin'] => [path, 'admin'],
  ),
];

async function open(page: Page, path: string, who?: TestUser) {
  await page.context().clearCookies();
  if (who) await signIn(page, site.url, who);
  await page.goto(site.url + path);
  await expect(page.locator('h1')).toBeVisible();
  await page.waitForLoadState('networkidle');
}

/** Changes the clinic's name, like an edit of `clinic/identity.ts`. */
const setName = (page: Page, name: string) =>
  page.locator('.logo-name').evaluateAll((logos, text) => {
    for (const logo of logos) logo.textContent = text;
  }, name);

/** Checks that the page does not scroll sideways, and that nothing covers the buttons of menus. */
async function expectReachable(page: Page, what: string) {
  expect(await overflowOf(page), `${what} is wider than the window`).toBe(0);
  // One call checks all buttons, because each call is a round trip to the browser.
  const covered = await page.evaluate(() => {
    const openers = document.querySelectorAll('header summary, header a, button[aria-haspopup="dialog"]');
    return [...openers].flatMap((opener) => {
      if (!opener.checkVisibility({ visibilityProperty: true })) return [];
      // Skip links are outside the window until they have the focus.
      opener.scrollIntoView({ block: 'nearest' });
      const { left, top, width, height } = opener.getBoundingClientRect();
      const found = document.elementFromPoint(left + width / 2, top + height / 2);
      return opener.contains(found) ? [] : [`${opener.textContent} is covered by ${found?.className}`];
    });
  });
  expect(covered, what).toEqual([]);
}

/** Checks that nothing covers the title of the page, for example the sidebar. */
async function expectTitleFree(page: Page, what: string) {
  const free = await page.locator('h1').evaluate((title) => {
    title.scrollIntoView({ block: 'center' });
    const range = document.createRange();
    range.selectNodeContents(title);
    return [...range.getClientRects()].every(({ left, top, right, height }) =>
      [left + 1, right - 1].every((x) => title.contains(document.elementFromPoint(x, top + height / 2))),
    );
  });
  expect(free, `${what}: the title is covered`).toBe(true);
}

for (const fontSize of [16, 24, 32])
  test(`at a font size of ${fontSize} px and with a long name every page fits, and its menus are reachable`, async ({
    playwright,
  }) => {
    test.setTimeout(240_000);
    // The browser's font size setting, which rem, em and media queries follow.
    const args = [...(launch?.args ?? []), `--blink-settings=defaultFontSize=${fontSize}`];
    const browser = await playwright.chromium.launch({ ...launch, args });
    const page = await browser.newPage({ reducedMotion: 'reduce' });
    for (const [path, who] of pages) {
      await open(page, path, who === 'visitor' ? undefined : users[who]);
      for (const name of names) {
        await setName(page, name);
        for (const width of [320, 360, 1280]) {
          await page.setViewportSize({ width, height: 900 });
          const what = `${path} at ${width} px with a name of ${name.length}`;
          await expectReachable(page, what);
          await page.evaluate(() => window.scrollTo(0, 0));
          if (who === 'admin') await expectTitleFree(page, what);
        }
      }
    }
    await browser.close();
  });

test('a word that is longer than the window breaks, wherever a practice is shown', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 800 });
  await open(page, '/practices');
  await expectReachable(page, 'practices');
  await expectCutNowhere(page);
  await open(page, '/admin/mind', users.admin);
  await page.getByLabel(/Procurar/).fill(longWord);
  await expectCutNowhere(page);
  await page.getByRole('button', { name: longWord, exact: true }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectCutNowhere(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: new RegExp(`^Deletar ${longWord}`) }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectCutNowhere(page);
  await page.goto(`${site.url}/admin/editact?axis=mind&id=${longId}`);
  await expect(page.getByLabel('Título')).toHaveValue(longWord);
  await expectCutNowhere(page);
  await page.goto(`${site.url}/admin`);
  await expect(page.getByRole('main')).toContainText(longWord);
  await expectCutNowhere(page);
});

/** Checks that no text is outside the window, even where its element would clip it. */
async function expectCutNowhere(page: Page) {
  const cut = await page.evaluate((word) => {
    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      if (!text.textContent?.includes(word) || text.parentElement?.closest('.visually-hidden, title'))
        continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      if ([...range.getClientRects()].some(({ right }) => right > document.documentElement.clientWidth))
        found.push(text.parentElement?.outerHTML.slice(0, 120) ?? '');
    }
    return found;
  }, 'RespiraRespira');
  expect(cut).toEqual([]);
}
