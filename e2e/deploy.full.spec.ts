import type { Page } from '@playwright/test';
import { paths } from '#contract/paths.ts';
import { fillSignIn, fillSignUp, signInButton } from './account-forms.ts';
import { contentField, linkField, titleField } from './activity-form.ts';
import { deploy } from './deploy.ts';
import { pictureOf } from './files.ts';
import { expect, scriptStarted, signIn, siteWithUsers, test } from './journey.ts';
import { nameInBar } from './top-bar.ts';

const { site, users } = siteWithUsers();

// Ignores errors, because a page can still be loading scripts when its test ends.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }));

/** Counts full page loads. */
function countLoads(page: Page) {
  const loads = { count: 0 };
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) loads.count += 1;
  });
  return loads;
}

async function fillInLogin(page: Page) {
  await fillSignIn(page, users.patient);
}

test('a deploy while a login form is open does not affect the form', async ({ page, watch }) => {
  const loads = countLoads(page);
  const loaded = page.waitForResponse(/\/static\/js\/client-/);
  await page.goto(`${site.url}/login`);
  await (await loaded).finished();
  await page.waitForLoadState('networkidle');
  await deploy(page, site);
  await fillInLogin(page);
  const responded = page.waitForResponse(`**${paths.auth.signIn}`);
  await signInButton(page).click();
  await responded;
  // The sign-in has not loaded a new document, so the open page still runs the old build.
  expect(loads.count).toBe(1);
  await expect(page).toHaveURL(`${site.url}/minha-area`);
  await expect(nameInBar(page, 'Pedro')).toBeVisible();
  watch.problems.length = 0;
});

test('a deploy before the code of the login form loads reloads the page once', async ({ page, watch }) => {
  const loads = countLoads(page);
  const deployed = Promise.withResolvers<void>();
  await page.route('**/static/js/account-*.js', async (route) => {
    await deployed.promise;
    await route.fulfill({ status: 404 });
  });
  const requested = page.waitForRequest('**/static/js/account-*.js');
  await page.goto(`${site.url}/login`);
  await requested;
  await deploy(page, site);
  deployed.resolve();

  await expect.poll(() => loads.count).toBe(2);
  await scriptStarted(page);
  await fillInLogin(page);
  await signInButton(page).click();
  await expect(page).toHaveURL(`${site.url}/minha-area`);
  await expect(nameInBar(page, 'Pedro')).toBeVisible();
  expect(loads.count).toBe(2);
  expect(watch.problems.join()).toContain('Loading chunk');
  watch.problems.length = 0;
});

test('after one lost request the login form works, and keeps the email address', async ({ page, watch }) => {
  const loads = countLoads(page);
  let isFirst = true;
  const typed = Promise.withResolvers<void>();
  await page.route('**/static/js/client-*.js', async (route) => {
    await typed.promise;
    await (isFirst ? route.abort() : route.continue());
    isFirst = false;
  });
  await page.goto(`${site.url}/login`, { waitUntil: 'commit' });
  await fillInLogin(page);
  typed.resolve();
  await expect.poll(() => loads.count).toBe(2);
  await scriptStarted(page);
  await expect(page.getByLabel('Email')).toHaveValue(users.patient.email);
  await expect(page.getByLabel('Senha', { exact: true })).toHaveValue('');
  const stored = await page.evaluate(() => JSON.stringify({ ...sessionStorage }));
  expect(stored).not.toContain(users.patient.email);
  await page.getByLabel('Senha', { exact: true }).fill(users.patient.password);
  await signInButton(page).click();
  await expect(nameInBar(page, 'Pedro')).toBeVisible();
  expect(loads.count).toBe(2);
  watch.problems.length = 0;
});

test('a deploy while the code of the sign-up form arrives keeps name and email, and no password', async ({
  page,
  watch,
}) => {
  const loads = countLoads(page);
  const deployed = Promise.withResolvers<void>();
  await page.route('**/static/js/account-*.js', async (route) => {
    await deployed.promise;
    await route.fulfill({ status: 404 });
  });
  await page.goto(`${site.url}/register`);
  await fillSignUp(page, { name: 'Célia Cedo', email: 'celia@example.com', password: 'violeta2025x' });
  await deploy(page, site);
  deployed.resolve();
  await expect.poll(() => loads.count).toBe(2);
  await scriptStarted(page);
  await expect(page.getByLabel('Nome completo')).toHaveValue('Célia Cedo');
  await expect(page.getByLabel('Email')).toHaveValue('celia@example.com');
  await expect(page.getByLabel('Senha', { exact: true })).toHaveValue('');
  await page.getByLabel('Senha', { exact: true }).fill('violeta2025x');
  await page.getByRole('button', { name: 'Criar a conta' }).click();
  await expect(nameInBar(page, 'Célia')).toBeVisible();
  watch.problems.length = 0;
});

test('a deploy while a sign-up form is open does not affect the form', async ({ page, watch }) => {
  const loads = countLoads(page);
  await page.goto(`${site.url}/register`);
  await scriptStarted(page);
  await fillSignUp(page, { name: 'Dora Depois', email: 'dora@example.com', password: 'violeta2025x' });
  await page.getByLabel('Confirme a Senha').fill('violeta2025x');
  await deploy(page, site);
  await page.getByRole('button', { name: 'Criar a conta' }).click();
  await expect(page).toHaveURL(`${site.url}/minha-area`);
  await expect(nameInBar(page, 'Dora')).toBeVisible();
  expect(loads.count).toBe(1);
  watch.problems.length = 0;
});

test('a deploy while an activity form is open does not prevent saving its files and texts', async ({
  page,
  watch,
}) => {
  await signIn(page, site.url, users.admin);
  const storage = page.waitForResponse(/\/static\/js\/storage-/);
  await page.goto(`${site.url}/admin/newact`);
  await (await storage).finished();
  await page.waitForLoadState('networkidle');
  await titleField(page).fill('Antes e depois');
  await deploy(page, site);
  await linkField(page).fill('https://youtu.be/aBcDeFgHiJ0');
  await contentField(page).fill('Respire.');
  await page.getByRole('radio', { name: 'Mind' }).check({ force: true });
  await page
    .getByRole('group', { name: 'Imagem' })
    .locator('input[type="file"]')
    .setInputFiles(await pictureOf(300));
  await expect(page.getByText('Image Uploaded')).toBeVisible();
  await page.getByRole('button', { name: 'Criar prática' }).click();
  await expect(page).toHaveURL(`${site.url}/admin/mind`);
  await expect(page.getByRole('main')).toContainText('Antes e depois');
  watch.problems.length = 0;
});

test('a deploy while the home page is open does not affect the newsletter form', async ({ page, watch }) => {
  await page.goto(site.url);
  await scriptStarted(page);
  await page.getByLabel('Seu e-mail').fill('leitora@example.com');
  await page.waitForLoadState('networkidle');
  await deploy(page, site);
  await page.getByLabel(/Quero receber a carta/).check();
  await page.getByRole('button', { name: 'Receber a carta' }).click();
  await expect(page.getByText('Falta só um passo.')).toBeVisible();
  watch.problems.length = 0;
});

test('code that does not load within 120 seconds is named, and the form offers a retry', async ({
  page,
  watch,
}) => {
  await page.clock.install();
  let hangs = true;
  await page.route(/\/static\/js\/client-/, async (route) => {
    if (!hangs) await route.fallback();
  });
  const subscribe = async () => {
    await page.getByLabel('Seu e-mail').fill('leitora@example.com');
    await page.getByLabel(/Quero receber a carta/).check();
    await page.getByRole('button', { name: 'Receber a carta' }).click();
  };
  await page.goto(site.url);
  await scriptStarted(page);
  await subscribe();
  await expect(page.getByRole('button', { name: 'Enviando…' })).toBeVisible();
  await page.clock.fastForward(120_000);
  await expect(page.getByRole('alert')).toContainText('Uma parte do site não carregou.');
  expect(watch.problems.join()).toContain('Loading chunk client failed');
  watch.problems.length = 0;
  hangs = false;
  await page.getByRole('button', { name: 'Carregar de novo' }).click();
  await scriptStarted(page);
  await subscribe();
  await expect(page.getByText('Falta só um passo.')).toBeVisible();
});

test('after one lost page script the error page tries again', async ({ page, watch }) => {
  await page.goto(`${site.url}/`);
  await scriptStarted(page);
  await page.route('**/static/js/public-*.js', (route) => route.abort());
  await page.getByRole('banner').getByRole('link', { name: 'A abordagem' }).click();
  await expect(page.getByText('Uma parte do site não carregou.')).toBeVisible();
  watch.problems.length = 0;
  await page.unroute('**/static/js/public-*.js');
  await page.getByRole('button', { name: 'Tentar de novo' }).click();
  await expect(page).toHaveURL(`${site.url}/about`);
  await expect(page.getByText('Unexpected Application Error!')).toHaveCount(0);
});

test("after lost code, the newsletter's mailed link offers to load the page again", async ({
  page,
  watch,
}) => {
  await page.route('**/static/js/client-*.js', (route) => route.abort());
  await page.goto(`${site.url}/carta/sair#nada`);
  await page.getByRole('button', { name: 'Sair da carta' }).click();
  await expect(page.getByRole('alert')).toContainText('Uma parte do site não carregou.');
  watch.problems.length = 0;
  await page.unroute('**/static/js/client-*.js');
  await page.getByRole('button', { name: 'Carregar de novo' }).click();
  await expect(page.getByRole('alert')).toBeHidden();
  await page.getByRole('button', { name: 'Sair da carta' }).click();
  await expect(page.getByRole('link', { name: 'Ver o formulário da carta' })).toBeVisible();
  watch.problems.length = 0;
});

test('after lost code, an upload tries again on the reloaded page, and the typed text is kept', async ({
  page,
  watch,
}) => {
  await signIn(page, site.url, users.admin);
  await page.route('**/static/js/upload-device-*.js', (route) => route.abort());
  await page.goto(`${site.url}/admin/newact`);
  await titleField(page).fill('Sem o código');
  await page.getByRole('radio', { name: 'Mind' }).check({ force: true });
  const picture = page.getByRole('group', { name: 'Imagem' });
  await picture.locator('input[type="file"]').setInputFiles(await pictureOf(300));
  await expect(picture.getByRole('alert')).toContainText('Uma parte do site não carregou.');
  await expect(page.getByText('O rascunho fica neste aparelho')).toBeVisible();
  watch.problems.length = 0;
  await page.unroute('**/static/js/upload-device-*.js');
  page.on('dialog', (dialog) => dialog.accept());
  await picture.getByRole('button', { name: 'Tentar de novo' }).click();
  await page.getByRole('button', { name: 'Continuar rascunho' }).click();
  await expect(titleField(page)).toHaveValue('Sem o código');
  await picture.locator('input[type="file"]').setInputFiles(await pictureOf(300));
  await expect(page.getByText('Image Uploaded')).toBeVisible();
});
