import { expect, siteForTests, test } from './journey.ts';

const site = siteForTests();

test('an unknown address answers 404 with the error page, with and without JavaScript', async ({
  page,
  browser,
}) => {
  for (const path of ['/nao-existe', '/admin/nao-existe', '/%00', '/practices/x']) {
    const answer = await page.goto(site.url + path);
    expect(answer?.status(), path).toBe(404);
    await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Voltar ao início' })).toHaveAttribute('href', '/');
  }
  const plain = await browser.newPage({ javaScriptEnabled: false });
  await plain.goto(`${site.url}/nao-existe`);
  await expect(plain.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible();
  await plain.close();
});

test("another address under /login says 'Página não encontrada.' and answers 404", async ({ page }) => {
  const answer = await page.goto(`${site.url}/login/qualquer`);
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Página não encontrada.' })).toBeVisible();
});

test('a chunk that does not load is named, and ends at the error page with a way home', async ({
  page,
  watch,
}) => {
  await page.goto(`${site.url}/`);
  await page.route('**/static/js/about-*.js', (route) => route.abort());
  await page.getByRole('banner').getByRole('link', { name: 'A abordagem' }).click();
  await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible();
  expect(watch.problems.join()).toContain('Loading chunk public/about failed');
  watch.problems.length = 0;
  await page.unroute('**/static/js/about-*.js');
  await page.getByRole('link', { name: 'Voltar ao início' }).click();
  await expect(page).toHaveURL(`${site.url}/`);
});

test('a chunk that a new deploy replaced reloads the page once, and no more', async ({ page, watch }) => {
  await page.goto(`${site.url}/`);
  let loads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  // As after a deploy: pages name another script, and the old chunks are gone.
  await page.route('**/static/js/about-*.js', (route) => route.fulfill({ status: 404 }));
  await page.route(
    (url) => url.pathname === '/about',
    async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replace(/(src="\/static\/js\/[\w-]+)\.js"/, '$1.js?new"');
      await route.fulfill({ response: answer, body });
    },
  );
  await page.getByRole('banner').getByRole('link', { name: 'A abordagem' }).click();
  await expect.poll(() => loads).toBe(1);
  await expect(page.locator('h1')).toHaveCount(1);
  expect(loads).toBe(1);
  watch.problems.length = 0;
});
