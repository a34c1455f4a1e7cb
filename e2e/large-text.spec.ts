import type { Page } from '@playwright/test';
import { demoLibrary } from '#clinic/demo-library.ts';
import { expect, signIn, siteWithPeople, test } from './journey.ts';
import config from './playwright.config.ts';
import type { Person } from './site.ts';

const launch = config.use?.launchOptions;

/** Of 35 and of 60 characters. */
const names = [
  'Clínica Doutora Ana Maria de Moraes',
  'Clínica de Psiquiatria e Psicoterapia Maria de Albuquerque S',
];
/** A word that fits on no phone, as people write who lean on a key, or paste an address. */
const longWord = 'Respira'.repeat(12);

const { site, people } = siteWithPeople();
let longId = '';

test.beforeAll(async () => {
  const { documents } = people.admin.client;
  for (const practice of demoLibrary) await documents.createActivity(practice);
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

const pages: [path: string, who: 'nobody' | 'patient' | 'admin'][] = [
  ...['/', '/about', '/practices', '/privacidade', '/login', '/login/recover', '/register', '/nada'].map(
    (path): [string, 'nobody'] => [path, 'nobody'],
  ),
  ['/account', 'patient'],
  ...['/pro', '/admin', '/admin/newact', '/admin/mind', '/admin/users', '/participants'].map(
    (path): [string, 'admin'] => [path, 'admin'],
  ),
];

async function open(page: Page, path: string, who?: Person) {
  await page.context().clearCookies();
  if (who) await signIn(page, site.url, who);
  await page.goto(site.url + path);
  await expect(page.locator('h1')).toBeVisible();
  await page.waitForLoadState('networkidle');
}

/** Gives the clinic another name, as `clinic/identity.ts` would. */
const setName = (page: Page, name: string) =>
  page.locator('.logo-name').evaluateAll((logos, text) => {
    for (const logo of logos) logo.textContent = text;
  }, name);

/** Nothing leaves the window to the side, and what the menus are opened with can be pressed. */
async function expectReachable(page: Page, what: string) {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, `${what} is wider than the window`).toBe(0);
  const openers = page.locator('header summary, header a, button[aria-haspopup="dialog"]');
  for (const opener of await openers.all()) {
    if (!(await opener.isVisible())) continue;
    // It says who covers it, if anything does; links to skip the menu wait outside until they have the focus.
    const covered = await opener.evaluate((element) => {
      element.scrollIntoView({ block: 'nearest' });
      const { left, top, width, height } = element.getBoundingClientRect();
      const found = document.elementFromPoint(left + width / 2, top + height / 2);
      return element.contains(found) ? '' : `${element.textContent} is covered by ${found?.className}`;
    });
    expect(covered, what).toBe('');
  }
}

/** No heading lies under the sidebar. */
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
  test(`with letters of ${fontSize} px and a long name every page fits, and its menus can be reached`, async ({
    playwright,
  }) => {
    test.setTimeout(240_000);
    // The size that people set in the browser: rem, em and media queries all follow it.
    const args = [...(launch?.args ?? []), `--blink-settings=defaultFontSize=${fontSize}`];
    const browser = await playwright.chromium.launch({ ...launch, args });
    const page = await browser.newPage({ reducedMotion: 'reduce' });
    for (const [path, who] of pages) {
      await open(page, path, who === 'nobody' ? undefined : people[who]);
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
  await open(page, '/admin/mind', people.admin);
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

/** No letters stand beside the window, whether or not the box around them hides that. */
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
