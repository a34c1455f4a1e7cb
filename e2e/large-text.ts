import type { CDPSession, Page } from '@playwright/test';
import { findPractice, type Stage, type State } from './accessible.ts';
import { expect } from './journey.ts';
import { currentMonth, writeTotals } from './site.ts';

/** Names of a clinic, with 35 and 60 characters. */
const names = [
  'Clínica Doutora Ana Maria de Moraes',
  'Clínica de Psiquiatria e Psicoterapia Maria de Albuquerque S',
];
/** A word that is wider than a phone, like a pasted URL. */
const longWord = 'Respira'.repeat(12);

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

/** Checks that the page fits and its menus are reachable, with large text and a long name of the clinic. */
export async function expectRoomForLargeText(page: Page, what: string) {
  await page.waitForLoadState('networkidle');
  const browser = await page.context().newCDPSession(page);
  // React reports an error if a name changes before the page is hydrated.
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.logo-name')].every((name) =>
      Object.keys(name).some((key) => key.startsWith('__reactProps')),
    ),
  );
  for (const width of [320, 360, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    for (const fontSize of [16, 24, 32]) {
      await setFontSize(browser, page, fontSize);
      const problems = await problemsOf(page, names);
      expect.soft(problems, `${what} at ${width} px with text of ${fontSize} px`).toEqual([]);
    }
  }
  await setFontSize(browser, page, 16);
  await browser.detach();
}

/** Checks that no text is outside the window, even where its element would clip it. */
export async function expectCutNowhere(page: Page, what: string) {
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
  expect.soft(cut, what).toEqual([]);
}

/** Creates practices whose texts contain a long word. The dashboard shows one, which has nine uses. */
export async function fillLongWords({ site, users }: Stage) {
  const { documents } = users.admin.client;
  const long = { axis: 'mind' as const, title: longWord, content: `${longWord}\n\n- ${longWord}` };
  const { id } = await documents.createActivity({ ...long, url: 'https://youtu.be/aBcDeFgHiJ0' });
  writeTotals(site, [id, currentMonth(), 9, 0, 0]);
  const url = `https://example.com/${longWord}`;
  await documents.createActivity({ ...long, title: `Só texto ${longWord}`, url });
}

/** States that show a practice with a long word. */
export const longWordStates: State[] = [
  { name: 'the library', path: '/practices' },
  {
    name: 'the page of a practice',
    path: async (stage) => `/practices/${(await findPractice(stage, longWord)).id}`,
  },
  {
    name: 'the list',
    path: '/admin/mind',
    role: 'admin',
    prepare: ({ page }) => page.getByLabel(/Procurar/).fill(longWord),
  },
  {
    name: 'the reader',
    async prepare({ page }) {
      await page.getByRole('button', { name: longWord, exact: true }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'the question before a practice is deleted',
    async prepare({ page }) {
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: new RegExp(`^Deletar ${longWord}`) }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'the form',
    role: 'admin',
    path: async (stage) => `/admin/editact?axis=mind&id=${(await findPractice(stage, longWord)).id}`,
    prepare: ({ page }) => expect(page.getByLabel('Título')).toHaveValue(longWord),
  },
  {
    name: 'the dashboard',
    path: '/admin',
    role: 'admin',
    prepare: ({ page }) => expect(page.getByRole('main')).toContainText(longWord),
  },
];
