import type { Page } from '@playwright/test';
import { paths } from '#contract/paths.ts';
import { deploy } from './deploy.ts';
import { pictureOf } from './files.ts';
import { expect, scriptStarted, signIn, siteWithPeople, test } from './journey.ts';

const { site, people } = siteWithPeople();

/** The scripts that forms load only when they are sent. */
const formScripts = /\/static\/js\/(?:auth|documents|account|activity|app-check|solve-[\w-]+)-[\w-]{8}\.js$/;

const nameInBar = (page: Page, name: string) => page.getByRole('banner').getByText(name, { exact: true });

/** Counts full page loads. */
function countLoads(page: Page) {
  const loads = { count: 0 };
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) loads.count += 1;
  });
  return loads;
}

async function fillInLogin(page: Page) {
  await page.getByLabel('Email').fill(people.patient.email);
  await page.getByLabel('Senha', { exact: true }).fill(people.patient.password);
}

test('a deploy while a login form is open does not affect the form', async ({ page, watch }) => {
  const loads = countLoads(page);
  const loaded = page.waitForResponse(/\/static\/js\/auth-/);
  await page.goto(`${site.url}/login`);
  await (await loaded).finished();
  await page.waitForLoadState('networkidle');
  await deploy(page, site);
  await fillInLogin(page);
  const answered = page.waitForResponse(`**${paths.auth.signIn}`);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await answered;
  // The next page is from the new build.
  expect(loads.count).toBe(1);
  await expect(page).toHaveURL(`${site.url}/`);
  await expect(nameInBar(page, 'Pedro')).toBeVisible();
  watch.problems.length = 0;
});

test('a deploy before the code of the login form loads: one reload, and typed text stays', async ({
  page,
  watch,
}) => {
  const loads = countLoads(page);
  const deployed = Promise.withResolvers<void>();
  await page.route(formScripts, async (route) => {
    await deployed.promise;
    await route.fulfill({ status: 404 });
  });
  await page.goto(`${site.url}/login`);
  await scriptStarted(page);
  await fillInLogin(page);
  await page.getByRole('button', { name: 'Mostrar senha' }).click();
  await deploy(page, site);
  deployed.resolve();

  await expect.poll(() => loads.count).toBe(2);
  await expect(page.getByText('O site foi atualizado')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(people.patient.email);
  await expect(page.getByLabel('Senha', { exact: true })).toHaveValue(people.patient.password);
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(people.patient.password);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await expect(page).toHaveURL(`${site.url}/`);
  await expect(nameInBar(page, 'Pedro')).toBeVisible();
  expect(loads.count).toBe(2);
  expect(watch.problems.join()).toContain('Loading chunk');
  watch.problems.length = 0;
});

test('a deploy while a sign-up form is open loses none of its fields', async ({ page, watch }) => {
  const deployed = Promise.withResolvers<void>();
  await page.route(formScripts, async (route) => {
    await deployed.promise;
    await route.fulfill({ status: 404 });
  });
  await page.goto(`${site.url}/register`);
  await scriptStarted(page);
  await page.getByLabel('Nome completo').fill('Dora Depois');
  await page.getByLabel('Email').fill('dora@example.com');
  await page.getByLabel('Senha', { exact: true }).fill('violeta2025x');
  await page.getByLabel('Confirme a Senha').fill('violeta2025x');
  await deploy(page, site);
  deployed.resolve();
  await expect(page.getByText('O site foi atualizado')).toBeVisible();
  await expect(page.getByLabel('Confirme a Senha')).toHaveValue('violeta2025x');
  await page.getByRole('button', { name: 'Criar a conta' }).click();
  await expect(page).toHaveURL(`${site.url}/`);
  await expect(nameInBar(page, 'Dora')).toBeVisible();
  watch.problems.length = 0;
});

test('a deploy while an activity form is open: files and texts are saved', async ({ page, watch }) => {
  await signIn(page, site.url, people.admin);
  const storage = page.waitForResponse(/\/static\/js\/storage-/);
  await page.goto(`${site.url}/admin/newact`);
  await (await storage).finished();
  await page.waitForLoadState('networkidle');
  await page.getByLabel('Título').fill('Antes e depois');
  await deploy(page, site);
  await page.getByLabel('Link do vídeo').fill('https://youtu.be/aBcDeFgHiJ0');
  await page.getByLabel('Conteúdo').fill('Respire.');
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

test('a deploy while the home page is open: the newsletter form still works', async ({ page, watch }) => {
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
  await page.route(/\/static\/js\/auth-/, async (route) => {
    if (!hangs) await route.fallback();
  });
  await page.goto(`${site.url}/login`);
  await scriptStarted(page);
  await fillInLogin(page);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Entrando…' })).toBeVisible();
  await page.clock.fastForward(120_000);
  await expect(page.getByRole('alert')).toContainText('Uma parte do site não carregou.');
  expect(watch.problems.join()).toContain('Loading chunk client/auth failed');
  watch.problems.length = 0;
  hangs = false;
  await page.getByRole('button', { name: 'Carregar de novo' }).click();
  await expect(page.getByLabel('Senha', { exact: true })).toHaveValue(people.patient.password);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await expect(page).toHaveURL(`${site.url}/`);
});

test('after one lost page script the error page tries again', async ({ page, watch }) => {
  await page.goto(`${site.url}/`);
  await scriptStarted(page);
  await page.route('**/static/js/about-*.js', (route) => route.abort());
  await page.getByRole('banner').getByRole('link', { name: 'A abordagem' }).click();
  await expect(page.getByText('Uma parte do site não carregou.')).toBeVisible();
  watch.problems.length = 0;
  await page.unroute('**/static/js/about-*.js');
  await page.getByRole('button', { name: 'Tentar de novo' }).click();
  await expect(page).toHaveURL(`${site.url}/about`);
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Unexpected Application Error!');
});
