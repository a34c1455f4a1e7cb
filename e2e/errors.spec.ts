import type { Page } from '@playwright/test';
import { expect, scriptStarted, siteForTests, test } from './journey.ts';

const site = siteForTests();

test('an unknown path responds with 404 with the error page, with and without JavaScript', async ({
  page,
  browser,
}) => {
  for (const path of ['/nao-existe', '/admin/nao-existe', '/%00', '/practices/x']) {
    const response = await page.goto(site.url + path);
    expect(response?.status(), path).toBe(404);
    await expect(page.getByText('Unexpected Application Error!')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Voltar ao início' })).toHaveAttribute('href', '/');
  }
  const plain = await browser.newPage({ javaScriptEnabled: false });
  await plain.goto(`${site.url}/nao-existe`);
  await expect(plain.getByText('Unexpected Application Error!')).toBeVisible();
  await plain.close();
});

test("another path under /login says 'Página não encontrada.' and responds with 404", {
  tag: '@full',
}, async ({ page }) => {
  const response = await page.goto(`${site.url}/login/qualquer`);
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Página não encontrada.' })).toBeVisible();
});

test('a chunk that does not load is named, and the error page links to the home page', async ({
  page,
  watch,
}) => {
  await page.goto(`${site.url}/`);
  await scriptStarted(page);
  await page.route('**/static/js/public-*.js', (route) => route.abort());
  await page.getByRole('banner').getByRole('link', { name: 'A abordagem' }).click();
  await expect(page.getByText('Unexpected Application Error!')).toBeVisible();
  expect(watch.problems.join()).toContain('Loading chunk public/about failed');
  watch.problems.length = 0;
  await page.unroute('**/static/js/public-*.js');
  await page.getByRole('link', { name: 'Voltar ao início' }).click();
  await expect(page).toHaveURL(`${site.url}/`);
  // The lower half needs the same file. Browsers remember a failed import until the next document.
  await expect(page.locator('#perguntas')).toBeVisible();
  await scriptStarted(page);
});

test('a page whose data cannot be loaded says so, and a retry opens it', async ({ page, watch }) => {
  await page.route('**/api/auth/get-session', (route) => route.abort());
  await page.goto(`${site.url}/pro`);
  await expect(page.getByRole('heading', { name: 'Sem conexão' })).toBeVisible();
  await expect(
    page.getByText('Não conseguimos falar com o site. Pode ser a sua internet ou um problema nosso.'),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Tentar de novo' }).click();
  await expect(page.getByRole('heading', { name: 'Sem conexão' })).toBeVisible();
  await page.unroute('**/api/auth/get-session');
  await page.getByRole('button', { name: 'Tentar de novo' }).click();
  await expect(page.getByRole('heading', { name: 'Espaço para o que você sente.' })).toBeVisible();
  await expect(page.getByText('Entre para abrir a página Pro.')).toBeVisible();
  watch.problems.length = 0;
});

test('the English words of an error page stand apart, below everything else', { tag: '@full' }, async ({
  page,
}) => {
  await page.goto(`${site.url}/nao-existe`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Não achamos esta página');
  const last = page.getByRole('main').locator('section > :last-child');
  await expect(last).toHaveText('Unexpected Application Error!');
  await expect(last).toHaveAttribute('lang', 'en');
  await expect(page).toHaveTitle(/^Não achamos esta página \| /);
});

const afterDeploy = [
  // A prerendered page stays readable without its code.
  {
    path: '/about',
    file: 'public',
    link: 'A abordagem',
    chunk: 'public/about',
    heading: /^(?!.*Unexpected)/s,
  },
  // A form whose code is missing says that it cannot be used.
  {
    path: '/login',
    file: 'account',
    link: 'Entrar',
    chunk: 'account/login',
    heading: 'Entrar',
    form: true,
  },
];

for (const { path, file, link, chunk, heading, form = false } of afterDeploy)
  test(`after a deploy that removed the code of ${path}, the page reloads exactly once`, async ({
    page,
    watch,
  }) => {
    let loads = 0;
    page.on('request', (request) => {
      if (request.isNavigationRequest()) loads += 1;
    });
    await page.goto(`${site.url}/`);
    await scriptStarted(page);
    await deployAnew(page, path, file);
    await page.getByRole('banner').getByRole('link', { name: link, exact: true }).click();
    await expect.poll(() => loads).toBe(2);
    await expect(page.locator('h1')).toHaveText(heading);
    const apology = page.getByRole('alert').filter({ hasText: 'O formulário não carregou por inteiro.' });
    await expect(apology).toHaveCount(form ? 1 : 0);
    expect(loads).toBe(2);
    expect(watch.problems.join()).toContain(`Loading chunk ${chunk} failed`);
    // The open page can log more errors about missing scripts, so close it before clearing the list.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.close();
    watch.problems.length = 0;
  });

/**
 * Simulates a deploy: the home page and the page at `path` load a new entry script, and the script `file`,
 * which contains the page's code, is missing.
 */
async function deployAnew(page: Page, path: string, file: string) {
  let entry = '';
  let reloaded = false;
  const renamed = (text: string) => text.replaceAll(entry, `newer-${entry}`);
  await page.route('**/static/js/*', async (route) => {
    const url = route.request().url().replace('newer-', '');
    if (url.includes(`/static/js/${file}-`)) return route.fulfill({ status: 404 });
    const response = await route.fetch({ url });
    const body = await response.text();
    await route.fulfill({ response, body: reloaded ? renamed(body) : body });
  });
  await page.route(new RegExp(`^${site.url}(/|${path})$`), async (route) => {
    const response = await route.fetch();
    const body = await response.text();
    entry = /\/static\/js\/(site-[^" ]+)"/.exec(body)?.[1] ?? '';
    reloaded ||= route.request().isNavigationRequest();
    await route.fulfill({ response, body: renamed(body) });
  });
}
