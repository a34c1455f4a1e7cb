import type { CDPSession, Page } from '@playwright/test';
import { expect, signIn, siteWithUsers, test } from './journey.ts';
import { fillLibrary, type TestUser } from './site.ts';

/** Names of a clinic, with 35 and 60 characters. */
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
  // The dashboard shows the practice once it has five uses.
  for (let use = 0; use < 5; use += 1) await documents.countUse({ id: longId, event: 'opened' });
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
  ['/minhas-praticas', 'patient'],
  ...[
    '/pro',
    '/admin',
    '/admin/newact',
    '/admin/importar',
    '/admin/mind',
    '/admin/users',
    '/participants',
  ].map((path): [string, 'admin'] => [path, 'admin']),
  ...['', '/identity', '/home', '/publicar'].map((path): [string, 'admin'] => [
    `/admin/site${path}`,
    'admin',
  ]),
];

async function open(page: Page, path: string, who?: TestUser) {
  await page.context().clearCookies();
  if (who) await signIn(page, site.url, who);
  await page.goto(site.url + path);
  await expect(page.locator('h1')).toBeVisible();
  await page.waitForLoadState('networkidle');
  // Waits for hydration, because React reports an error if a name changes earlier.
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.logo-name')].every((name) =>
      Object.keys(name).some((key) => key.startsWith('__reactProps')),
    ),
  );
}

/**
 * Shows each of `names` as the clinic's name, and returns the problems that it causes: sideways scrolling, a
 * covered menu button, or a title behind another element such as the sidebar. Checks all names in one call,
 * so that the browser does not paint the page in between.
 */
const problemsOf = (page: Page, names: string[]): Promise<string[]> =>
  page.evaluate((all) => {
    const coveredOpeners = () => {
      const openers = document.querySelectorAll('header summary, header a, button[aria-haspopup="dialog"]');
      return [...openers].flatMap((opener) => {
        if (!opener.checkVisibility({ visibilityProperty: true })) return [];
        // Skip links are outside the window until they have the focus.
        opener.scrollIntoView({ block: 'nearest' });
        const { left, top, width, height } = opener.getBoundingClientRect();
        const found = document.elementFromPoint(left + width / 2, top + height / 2);
        return opener.contains(found) ? [] : [`${opener.textContent} is covered by ${found?.className}`];
      });
    };
    const titleIsFree = (title: Element) => {
      window.scrollTo(0, 0);
      title.scrollIntoView({ block: 'center' });
      const range = document.createRange();
      range.selectNodeContents(title);
      return [...range.getClientRects()].every(({ left, top, right, height }) =>
        [left + 1, right - 1].every((x) => title.contains(document.elementFromPoint(x, top + height / 2))),
      );
    };
    return all.flatMap((name) => {
      for (const logo of document.querySelectorAll('.logo-name')) logo.textContent = name;
      const { scrollWidth, clientWidth } = document.documentElement;
      const wide = scrollWidth === clientWidth ? [] : ['the page is wider than the window'];
      const covered = coveredOpeners();
      const title = document.querySelector('h1');
      const hidden = title && titleIsFree(title) ? [] : ['the title is covered'];
      return [...wide, ...covered, ...hidden].map((problem) => `${problem}, name "${name}"`);
    });
  }, names);

/** Sets the browser's font size, which rem, em and media queries follow. */
async function setFontSize(browser: CDPSession, page: Page, standard: number) {
  await browser.send('Page.setFontSizes', { fontSizes: { standard } });
  const applied = page.evaluate(async (size) => {
    // The listeners of media queries run before the next frame.
    await new Promise(requestAnimationFrame);
    const width = `${innerWidth / size}em`;
    return (
      getComputedStyle(document.documentElement).fontSize === `${size}px` &&
      matchMedia(`(min-width: ${width}) and (max-width: ${width})`).matches
    );
  }, standard);
  expect(await applied, `a font size of ${standard} px`).toBe(true);
}

test('with large text and a long name every page fits, and its menus are reachable', async ({ page }) => {
  test.setTimeout(240_000);
  const browser = await page.context().newCDPSession(page);
  for (const [path, who] of pages) {
    await open(page, path, who === 'visitor' ? undefined : users[who]);
    for (const width of [320, 360, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      for (const fontSize of [16, 24, 32]) {
        await setFontSize(browser, page, fontSize);
        const problems = await problemsOf(page, names);
        expect(problems, `${path} at ${width} px with text of ${fontSize} px`).toEqual([]);
      }
    }
  }
});

test('a word that is longer than the window breaks in the library, on the page of its practice, and in the admin area', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 800 });
  await open(page, '/practices');
  expect(await problemsOf(page, names)).toEqual([]);
  await expectCutNowhere(page);
  await open(page, `/practices/${longId}`);
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
