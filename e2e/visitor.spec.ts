import type { Page } from '@playwright/test';
import { demoLibrary } from '#clinic/demo-library.ts';
import { renderedPages } from '#contract/site/public-pages.ts';
import { fillSignIn, signInButton } from './account-forms.ts';
import { chooseFilter, expect, scriptStarted, siteWithUsers, test } from './journey.ts';
import { fillLibrary } from './site.ts';
import { signOutLink } from './top-bar.ts';

test.describe.configure({ timeout: 180_000 });

const { site, users } = siteWithUsers();

test.beforeAll(() => fillLibrary(users.admin));

test('without a click, pages send no request to other sites and set no cookies or storage', async ({
  page,
  context,
}) => {
  const origins = new Set<string>();
  page.on('request', (request) => {
    if (/^https?:/.test(request.url())) origins.add(new URL(request.url()).origin);
  });
  for (const path of renderedPages) {
    await page.goto(site.url + path);
    await scriptStarted(page);
    await page.mouse.wheel(0, 20_000);
    await page.waitForLoadState('networkidle');
    expect(await context.cookies(), path).toEqual([]);
    const kept = await page.evaluate(async () => ({
      storage: localStorage.length + sessionStorage.length,
      databases: (await indexedDB.databases()).length,
      caches: (await caches.keys()).length,
    }));
    expect(kept, path).toEqual({ storage: 0, databases: 0, caches: 0 });
  }
  expect([...origins]).toEqual([site.url]);
});

test('the page begins with all activities, and shows those of an axis at their own URL', async ({ page }) => {
  const titles = (axis: string) => demoLibrary.filter((one) => one.axis === axis).map(({ title }) => title);
  await page.goto(`${site.url}/practices`);
  await scriptStarted(page);
  for (const { title } of demoLibrary) await expect(page.getByRole('heading', { name: title })).toBeVisible();
  await chooseFilter(page, 'Tipo', 'Movimento');
  await expect(page).toHaveURL(`${site.url}/practices?eixo=move`);
  for (const title of titles('move')) await expect(page.getByRole('heading', { name: title })).toBeVisible();
  for (const title of titles('mind')) await expect(page.getByRole('heading', { name: title })).toBeHidden();

  await page.reload();
  for (const title of titles('move')) await expect(page.getByRole('heading', { name: title })).toBeVisible();
  await chooseFilter(page, 'Tipo', 'Valores');
  const values = ['values', 'family', 'career', 'fun'].flatMap(titles);
  expect(values.length).toBeGreaterThan(0);
  for (const title of values) await expect(page.getByRole('heading', { name: title })).toBeVisible();
});

test('without a connection the practices page shows a message, and loads when the connection is back', {
  tag: '@full',
}, async ({ page, context }) => {
  await page.goto(`${site.url}/practices`);
  await scriptStarted(page);
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Sono', exact: true }).click();
  const problem = page.getByRole('main').getByRole('alert');
  await expect(problem).toContainText('As práticas não puderam ser carregadas.');
  await expect(problem).toContainText('Sem conexão.');
  await context.setOffline(false);
  await expect(problem).toBeHidden();
  await expect(page.getByRole('article').first()).toBeVisible();
});

test('without a connection and without the code that asks for practices, the page loads when the connection is back', {
  tag: '@full',
}, async ({ page, watch }) => {
  await page.route('**/static/js/client-*.js', (route) => route.abort('internetdisconnected'));
  await page.goto(`${site.url}/practices`);
  await scriptStarted(page);
  await page.getByRole('link', { name: 'Sono', exact: true }).click();
  const problem = page.getByRole('main').getByRole('alert');
  await expect(problem).toContainText('As práticas não puderam ser carregadas.');
  watch.problems.length = 0;
  await page.unroute('**/static/js/client-*.js');
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect(problem).toBeHidden();
  await expect(page).toHaveURL(`${site.url}/practices?necessidade=sono`);
  await expect(page.getByRole('article').first()).toBeVisible();
});

test.describe('with the keyboard alone', () => {
  test('the first stop is a link that skips the menu', { tag: '@full' }, async ({ page }) => {
    await page.goto(site.url);
    await scriptStarted(page);
    await page.keyboard.press('Tab');
    const skip = page.locator(':focus');
    await expect(skip).toHaveText('Ir para o conteúdo');
    await expect(skip).toBeInViewport();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
  });

  test('a question opens and closes, a petal is chosen with the arrows, a dialog keeps the focus and gives it back', {
    tag: '@full',
  }, async ({ page }) => {
    await page.goto(site.url);
    const question = page.locator('main details').last();
    await question.locator('summary').press('Enter');
    await expect(question).toHaveAttribute('open');
    await question.locator('summary').press('Space');
    await expect(question).not.toHaveAttribute('open');

    await page.goto(`${site.url}/about`);
    await scriptStarted(page);
    const petals = page.getByRole('tab');
    await petals.first().focus();
    for (let place = 1; place < 6; place += 1) {
      await page.keyboard.press('ArrowRight');
      await expect(petals.nth(place)).toBeFocused();
      await expect(petals.nth(place)).toHaveAttribute('aria-selected', 'true');
      await expect(page.getByRole('tabpanel')).toContainText('Experimente por um minuto');
    }

    await page.goto(`${site.url}/practices`);
    await scriptStarted(page);
    const opener = page.getByRole('button', { name: 'Ver as seis dicas' });
    await opener.press('Enter');
    const dialog = page.getByRole('dialog');
    await expect(dialog).toBeVisible();
    for (let press = 0; press < 6; press += 1) {
      await page.keyboard.press('Tab');
      const left = await page.evaluate(() => {
        const { activeElement } = document;
        // `body` means that the focus is on the browser's own controls, after the dialog's last stop.
        return activeElement !== document.body && activeElement?.closest('dialog') === null;
      });
      expect(left).toBe(false);
    }
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(opener).toBeFocused();
  });
});

test.describe('before the code of a page has loaded', () => {
  /** Delays the scripts of a page until the returned function is called. */
  async function holdScripts(page: Page, files: RegExp) {
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(files, async (route) => {
      await promise;
      await route.continue();
    });
    return resolve;
  }

  test('the newsletter form keeps typed text, and can be sent when its code has loaded', {
    tag: '@full',
  }, async ({ page }) => {
    const letThrough = await holdScripts(page, /static\/js\//);
    await page.goto(site.url, { waitUntil: 'domcontentloaded' });
    const email = page.getByLabel('Seu e-mail');
    const send = page.getByRole('button', { name: 'Receber a carta' });
    await email.fill('cedo@example.com');
    await page.getByRole('checkbox').check();
    await expect(send).toBeDisabled();
    await email.press('Enter');
    letThrough();
    await expect(send).toBeEnabled();
    await expect(page).toHaveURL(`${site.url}/`);
    await expect(email).toHaveValue('cedo@example.com');
    await send.click();
    await expect(page.getByText('Falta só um passo.')).toBeVisible();
    await expect(page.getByText('cedo@example.com')).toBeVisible();
  });

  test('the sign-in form keeps and uses text that was typed before its code loaded', {
    tag: '@full',
  }, async ({ page }) => {
    const letThrough = await holdScripts(page, /static\/js\/site-/);
    await page.goto(`${site.url}/login`, { waitUntil: 'domcontentloaded' });
    await fillSignIn(page, users.patient);
    await expect(signInButton(page)).toBeDisabled();
    letThrough();
    await signInButton(page).click();
    await expect(page).toHaveURL(`${site.url}/minha-area`);
    await expect(signOutLink(page)).toBeVisible();
  });

  test('a home page without the code of its lower half keeps its HTML', { tag: '@full' }, async ({
    page,
    watch,
  }) => {
    await page.goto(site.url);
    await scriptStarted(page);
    await page.route(/static\/js\//, (route) => route.abort());
    await page.mouse.wheel(0, 3_000);
    await expect.poll(() => watch.problems.join()).toContain('Loading chunk public/home failed');
    watch.problems.length = 0;
    const question = page.locator('main details').last();
    await question.locator('summary').click();
    await expect(question).toHaveAttribute('open');
    await expect(page.locator('h1')).toHaveCount(1);
  });
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('practices show titles, texts and links; questions open; the approach is complete', async ({
    page,
  }) => {
    await page.goto(`${site.url}/practices`);
    for (const { title } of demoLibrary.filter(({ axis }) => axis === 'mind'))
      await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await expect(page.getByRole('link', { name: /^Assistir/ }).first()).toHaveAttribute('href', /youtube/);
    await expect(page.getByRole('heading', { level: 3 })).not.toHaveCount(0);
    await page.goto(`${site.url}/about`);
    expect(await page.locator('[role="tabpanel"]').filter({ visible: true }).count()).toBe(6);
  });

  test('forms say what to do instead', async ({ page }) => {
    for (const path of ['/', '/login', '/register', '/login/recover']) {
      await page.goto(site.url + path);
      // Playwright does not find text inside <noscript>.
      const advice = page.locator('noscript p').filter({ visible: true });
      expect(await advice.evaluate((element) => element.textContent), path).toMatch(
        /^Sem JavaScript este formulário não funciona\./,
      );
      await expect(
        page.locator('main button').filter({ visible: true }).and(page.locator(':enabled')),
      ).toHaveCount(0);
    }
  });
});
