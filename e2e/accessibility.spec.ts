import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { expect, signIn, siteWithUsers, test } from './journey.ts';
import { fillLibrary } from './site.ts';

test.describe.configure({ timeout: 180_000 });

const { site, users } = siteWithUsers();

test.beforeAll(() => fillLibrary(users.admin));

const publicPages = ['/', '/practices', '/about', '/privacidade', '/nao-existe'];
const accountPages = [
  ...['/login', '/login/recover', '/login/x', '/register', '/nova-senha', '/primeiro-acesso'],
  ...['/email-confirmado', '/email-confirmado#token', '/email-confirmado?erro=link'],
];
const letterPages = ['/carta/confirmar#x.y', '/carta/sair'];
const signedInPages = [
  '/pro',
  '/admin',
  '/admin/newact',
  '/admin/importar',
  '/admin/mind',
  '/admin/values',
  '/admin/users',
  '/participants',
];

test('public pages are accessible', async ({ page }) => {
  for (const path of [...publicPages, ...letterPages]) await checkPage(page, path);
});

test('the pages around signing in are accessible', async ({ page }) => {
  for (const path of accountPages) await checkPage(page, path);
});

test('the pages of members and admins are accessible', async ({ page }) => {
  await signIn(page, site.url, users.admin);
  for (const path of signedInPages) await checkPage(page, path);
});

test('the account page and its dialogs are accessible', async ({ page }) => {
  await signIn(page, site.url, users.admin);
  for (const path of ['/account', '/minhas-praticas', '/email-confirmado?erro=link'])
    await checkPage(page, path);
  await page.goto(`${site.url}/account`);
  await page.getByRole('button', { name: 'Trocar a senha' }).click();
  await page.getByText('O que vem no arquivo').click();
  await expect(page.getByText('Confira estes campos')).toBeVisible();
  await expectAccessible(page, 'account with errors');
  await page.getByRole('button', { name: 'Ligar' }).click();
  await page.getByLabel('Sua senha').fill(users.admin.password);
  await page.getByRole('button', { name: 'Continuar' }).click();
  await expect(page.getByRole('img', { name: /^Código QR/ })).toBeVisible();
  await expectAccessible(page, 'second factor');
  await page.getByRole('button', { name: 'Apagar minha conta' }).click();
  await page.getByRole('button', { name: 'Apagar para sempre' }).click();
  await expect(page.getByRole('dialog').getByText('Confira estes campos')).toBeVisible();
  await expectAccessible(page, 'question before the account is deleted');
});

test('forms with errors and open dialogs are accessible', async ({ page }) => {
  await page.goto(`${site.url}/register`);
  await page.getByRole('button', { name: 'Criar a conta' }).click();
  await expect(page.getByText('You need a password').first()).toBeVisible();
  await expectAccessible(page, 'register with errors');

  await signIn(page, site.url, users.admin);
  await page.goto(`${site.url}/admin/mind`);
  await page
    .getByRole('button', { name: /^Deletar / })
    .first()
    .click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page, 'delete question');
  await page.keyboard.press('Escape');

  await page
    .getByRole('link', { name: /^Editar / })
    .first()
    .click();
  await expect(page.getByLabel('Título')).not.toHaveValue('');
  await expectAccessible(page, 'edit form');
  await page.getByLabel('Título').fill('');
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByRole('link', { name: 'Preencha este campo.' })).toBeVisible();
  await expectAccessible(page, 'edit form with an error');
});

async function checkPage(page: Page, path: string) {
  await page.goto(site.url + path);
  await expect(page.locator('h1')).toHaveCount(1);
  // Wait for content that loads late.
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await expectAccessible(page, path);
}
