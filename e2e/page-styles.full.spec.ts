import type { Page } from '@playwright/test';
import { renderedPages, visitorPages } from '#contract/site/public-pages.ts';
import { signInButton } from './account-forms.ts';
import { expect, scriptStarted, siteForTests, test } from './journey.ts';

const site = siteForTests();
const withOwnStyles = [...renderedPages, '/nada'].filter((path) => path !== '/' && path !== '/practices');

/**
 * Compares the computed styles of every element and its pseudo-elements with those of the first call. The
 * styles of the first call stay in the page, because they are too many to transfer to the test.
 * @returns the number of values, and the names of some values that differ from the first call
 */
async function look(page: Page): Promise<{ count: number; apart: string[] }> {
  const bothTypefaces = () =>
    document.fonts.check('1rem "Figtree Variable"') && document.fonts.check('1rem "Fraunces Variable"');
  await expect.poll(() => page.evaluate(bothTypefaces)).toBe(true);
  return page.evaluate(() => {
    // Leaves out custom properties, because the inline styles define only those that the page reads.
    const names = Array.from(getComputedStyle(document.body)).filter((name) => !name.startsWith('--'));
    const now = [...document.querySelectorAll('body, body *')].flatMap((element) =>
      ['', '::before', '::after'].map((part) => {
        const style = getComputedStyle(element, part);
        const values =
          part !== '' && style.content === 'none' ? [] : names.map((name) => style.getPropertyValue(name));
        return { whose: element.tagName + part, values: values.join('\n') };
      }),
    );
    const keeper = window as { firstLook?: typeof now };
    keeper.firstLook ??= now;
    const { firstLook } = keeper;
    if (now.length !== firstLook.length) return { count: 0, apart: ['another number of elements'] };
    const apart = now.flatMap(({ whose, values }, place) => {
      const before = firstLook[place]?.values ?? '';
      if (values === before) return [];
      const [first, later] = [before.split('\n'), values.split('\n')];
      const changed = names.filter((_name, at) => first[at] !== later[at]);
      return `${place} ${whose}: ${changed.join(', ')}`;
    });
    const count = now.filter(({ values }) => values !== '').length * names.length;
    return { count, apart: apart.slice(0, 20) };
  });
}

/** Adds the complete style files after the page's inline styles. */
async function addWholeFiles(page: Page) {
  await page.evaluate(() => {
    const { styles } = document.querySelector<HTMLScriptElement>('[data-files]')?.dataset ?? {};
    for (const href of styles?.split(' ') ?? [])
      document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href }));
  });
  const links = page.locator('link[rel="stylesheet"]');
  // Polls, because without JavaScript there are no events to wait for.
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
          expect((await look(page)).count, path).toBeGreaterThan(10_000);
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
  for (const path of visitorPages) {
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
