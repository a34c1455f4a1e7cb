import type { Page } from '@playwright/test';
import { signInButton } from './account-forms.ts';
import { expect, scriptStarted, siteForTests, test } from './journey.ts';

const site = siteForTests();
const withOwnStyles = ['/about', '/privacidade', '/login', '/login/recover', '/register', '/nada'];

/**
 * Compares the computed styles of every element and its pseudo-elements with those of the first call, one
 * line per value. The lines stay in the page, because there are too many to transfer.
 * @returns the number of lines, and some lines that only this call or only the first call has
 */
async function look(page: Page): Promise<{ lines: number; apart: string[] }> {
  const bothTypefaces = () =>
    document.fonts.check('1rem "Figtree Variable"') && document.fonts.check('1rem "Fraunces Variable"');
  await expect.poll(() => page.evaluate(bothTypefaces)).toBe(true);
  return page.evaluate(() => {
    const lines = [...document.querySelectorAll('body, body *')].flatMap((element, place) =>
      ['', '::before', '::after'].flatMap((part) => {
        const style = getComputedStyle(element, part);
        const names = part !== '' && style.content === 'none' ? [] : Array.from(style);
        const whose = `${place} ${element.tagName}${part}`;
        // A page contains only the custom properties that its own styles read.
        return names
          .filter((name) => !name.startsWith('--'))
          .map((name) => `${whose} ${name}: ${style.getPropertyValue(name)}`);
      }),
    );
    const now = new Set(lines);
    const keeper = window as { firstLook?: Set<string> };
    keeper.firstLook ??= now;
    const { firstLook } = keeper;
    const apart = [
      ...[...now].filter((line) => !firstLook.has(line)),
      ...[...firstLook].filter((line) => !now.has(line)),
    ];
    return { lines: lines.length, apart: apart.slice(0, 20) };
  });
}

/** Adds the whole style files after the page's inline styles. */
async function addWholeFiles(page: Page) {
  await page.evaluate(() => {
    const { styles } = document.querySelector<HTMLScriptElement>('[data-files]')?.dataset ?? {};
    for (const href of styles?.split(' ') ?? [])
      document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href }));
  });
  const links = page.locator('link[rel="stylesheet"]');
  // Without JavaScript there are no events to wait for.
  await expect
    .poll(() => links.evaluateAll((all: HTMLLinkElement[]) => all.every(({ sheet }) => sheet)))
    .toBe(true);
}

test.describe('with JavaScript off', () => {
  test.describe.configure({ timeout: 120_000 });
  test.use({ javaScriptEnabled: false });

  for (const width of [360, 1280])
    for (const colorScheme of ['light', 'dark'] as const)
      test(`prerendered pages look the same with the whole style files: ${width} pixels, ${colorScheme}`, async ({
        page,
      }) => {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        for (const path of withOwnStyles) {
          await page.goto(site.url + path);
          await page.evaluate(() => {
            for (const details of document.querySelectorAll('details')) details.open = true;
          });
          expect((await look(page)).lines, path).toBeGreaterThan(10_000);
          await addWholeFiles(page);
          expect((await look(page)).apart, `${path}, whole files behind`).toEqual([]);
          await page.evaluate(() => document.querySelector('style')?.remove());
          expect((await look(page)).apart, `${path}, whole files alone`).toEqual([]);
        }
      });
});

test('no page violates the policy or loads a style file twice, on the first load and between pages', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const broken: string[] = [];
    Object.assign(window, { broken });
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      broken.push(`${violatedDirective} ${blockedURI}`),
    );
  });
  const expectSound = async (where: string) => {
    const found = await page.evaluate(() => ({
      broken: (window as unknown as { broken: string[] }).broken,
      files: [...document.querySelectorAll('link[rel="stylesheet"]')].map((link) =>
        (link as HTMLLinkElement).sheet ? link.getAttribute('href') : 'not loaded',
      ),
    }));
    expect(found.broken, where).toEqual([]);
    expect(found.files, where).not.toContain('not loaded');
    expect(new Set(found.files).size, where).toBe(found.files.length);
    expect(found.files.length, where).toBeGreaterThan(0);
  };
  const bar = page.getByRole('banner');
  for (const path of ['/', '/about', '/privacidade', '/practices']) {
    await page.goto(site.url + path);
    await scriptStarted(page);
    await expectSound(path);
    for (const name of ['Práticas', 'A abordagem']) {
      await bar.getByRole('link', { name }).click();
      await expect(bar.locator('[aria-current="page"]').first()).toHaveText(name);
      await expectSound(`${path}, ${name}`);
    }
    await bar.getByRole('link', { name: 'Entrar' }).click();
    await expect(page).toHaveURL(`${site.url}/login`);
    await expect(page.locator('h1')).toBeVisible();
    await expectSound(`${path}, sign-in`);
    await page.goBack();
    await expect(bar.locator('[aria-current="page"]').first()).toHaveText('A abordagem');
    await expectSound(`${path}, back`);
  }
  for (const path of ['/login', '/login/recover', '/register', '/nada']) {
    await page.goto(site.url + path);
    await scriptStarted(page);
    await expectSound(path);
  }
});

test('a page hydrates only after the whole style files have loaded', async ({ page }) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/static/css/*', async (route) => {
    await promise;
    await route.continue();
  });
  const code = page.waitForResponse('**/static/js/site-*');
  await page.goto(`${site.url}/login`, { waitUntil: 'domcontentloaded' });
  await (await code).finished();
  const send = signInButton(page);
  await expect(send).toBeDisabled();
  resolve();
  await expect(send).toBeEnabled();
});

test('a page works without its style files', async ({ page }) => {
  await page.route('**/static/css/*', (route) => route.abort());
  await page.goto(`${site.url}/login`);
  await expect(signInButton(page)).toBeEnabled();
});
