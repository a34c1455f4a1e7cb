import type { Page } from '@playwright/test';
import { expect, signIn, siteWithUsers, test } from './journey.ts';
import { registerAdmin } from './site.ts';

const { site, users } = siteWithUsers();

const menu = (page: Page) => page.getByRole('navigation', { name: 'Administração' });
const crumbs = (page: Page) => page.getByRole('navigation', { name: 'Você está em' });

async function open(page: Page, path: string) {
  await page.goto(site.url + path);
  await expect(page.locator('h1')).toBeVisible();
}

test.beforeEach(({ page }) => signIn(page, site.url, users.admin));

test('the sidebar has both sets of entries, and marks the current page', async ({ page }) => {
  await open(page, '/admin/mind');
  const links = menu(page).getByRole('listitem').getByRole('link');
  await expect(links).toHaveText([
    ...['Início', 'Nova Act'],
    ...['Mind · Mente', 'Move · Movimento', 'Nutri · Alimentação', 'Values · Valores'],
    ...['Usuários', 'Site', 'Carta'],
    ...['Novo Usuário', 'Usuários', 'Nova atividade'],
  ]);
  const targets = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  expect(targets).toEqual([
    ...[
      '/admin',
      '/admin/newact',
      '/admin/mind',
      '/admin/move',
      '/admin/nutri',
      '/admin/values',
      '/admin/users',
      '/admin/site',
      '/admin/carta',
    ],
    ...['/register', '/participants', '/admin/newact'],
  ]);
  await expect(menu(page).locator('[aria-current="page"]')).toHaveText('Mind · Mente');
});

test('headings distinguish the two entries Usuários', { tag: '@full' }, async ({ page }) => {
  await open(page, '/admin');
  for (const [group, path] of [
    ['Acompanhar', '/admin/users'],
    ['Gerenciar', '/participants'],
  ] as const) {
    await expect(menu(page).getByText(group)).toBeVisible();
    const link = menu(page).getByRole('list', { name: group }).getByRole('link', { name: 'Usuários' });
    await expect(link).toHaveAttribute('href', path);
  }
});

test('the sidebar of staff has its own style', { tag: '@full' }, async ({ page }) => {
  const ground = () =>
    menu(page).evaluate((element) => {
      const painted = (from: Element): string => {
        const { backgroundColor } = getComputedStyle(from);
        return backgroundColor === 'rgba(0, 0, 0, 0)' && from.parentElement
          ? painted(from.parentElement)
          : backgroundColor;
      };
      return painted(element);
    });
  const user = await registerAdmin(site, users, 'Estela Equipe');
  await signIn(page, site.url, user);
  await open(page, '/admin');
  const ordinary = await ground();
  await users.admin.client.documents.updateUser(user.uid, { staff: true });
  await page.reload();
  await expect(menu(page)).toBeVisible();
  expect(await ground()).not.toBe(ordinary);
});

test('at 961 px the sidebar is next to the page, at 960 px it folds', async ({ page }) => {
  await page.setViewportSize({ width: 961, height: 800 });
  await open(page, '/admin');
  await expect(menu(page)).toBeVisible();
  await page.setViewportSize({ width: 960, height: 800 });
  await expect(menu(page)).toBeHidden();
  await expect(page.getByRole('button', { name: 'Menu da administração: Início' })).toBeVisible();
});

test('the drawer keeps the focus inside, gives it back, and closes with a link', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page, '/admin/move');
  const button = page.getByRole('button', { name: 'Menu da administração: Move · Movimento' });
  await button.focus();
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Menu da administração' });
  await expect(drawer.getByRole('link', { name: 'Move' })).toBeFocused();
  for (let presses = 0; presses < 15; presses += 1) {
    await page.keyboard.press('Tab');
    const inside = await drawer.evaluate((element) => {
      const { activeElement } = document;
      // `body` means that the focus is in the browser's toolbar, which is allowed.
      return activeElement === document.body || element.contains(activeElement);
    });
    expect(inside, `after ${presses + 1} tabs`).toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expect(button).toBeFocused();

  await button.click();
  await drawer.getByRole('button', { name: 'Fechar o menu' }).click();
  await expect(button).toBeFocused();
  await button.click();
  await page.mouse.click(350, 400);
  await expect(drawer).toBeHidden();

  await button.click();
  await drawer.getByRole('link', { name: 'Nutri' }).click();
  await expect(page).toHaveURL(`${site.url}/admin/nutri`);
  await expect(drawer).toBeHidden();
  await expect(page.locator('main')).toBeFocused();
});

test('breadcrumbs show the path and link to its pages', { tag: '@full' }, async ({ page }) => {
  const practice = await users.admin.client.documents.createActivity({
    axis: 'family',
    title: 'Ligar para alguém',
    url: 'https://www.gov.br/saude/pt-br',
    content: 'Sem motivo.',
  });
  await open(page, '/admin');
  await expect(crumbs(page)).toHaveCount(0);
  await open(page, '/admin/users');
  await expect(crumbs(page).getByRole('listitem')).toHaveText(['Início', 'Usuários']);
  await open(page, '/admin/newact?axis=nutri');
  await expect(crumbs(page).getByRole('listitem')).toHaveText([
    ...['Início', 'Nutri · Alimentação', 'Nova Act'],
  ]);
  await open(page, `/admin/editact?axis=family&id=${practice.id}`);
  await expect(crumbs(page).getByRole('listitem')).toHaveText([
    ...['Início', 'Values · Valores', 'Editar prática'],
  ]);
  await expect(crumbs(page).locator('[aria-current="page"]')).toHaveText('Editar prática');
  await crumbs(page).getByRole('link', { name: 'Values' }).click();
  await expect(page).toHaveURL(`${site.url}/admin/values`);
  await crumbs(page).getByRole('link', { name: 'Início' }).click();
  await expect(page).toHaveURL(`${site.url}/admin`);
});

test('single keys lead to the search and to a new activity, but type letters in fields', async ({ page }) => {
  await open(page, '/admin/nutri');
  await expect(page.getByRole('searchbox')).toBeVisible();
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type('n/?');
  await expect(page.getByRole('searchbox')).toHaveValue('n/?');
  await expect(page).toHaveURL(`${site.url}/admin/nutri`);
  await page.locator('main').focus();
  await page.keyboard.press('n');
  await expect(page).toHaveURL(`${site.url}/admin/newact?axis=nutri`);
  await expect(page.getByLabel('Nutri')).toBeChecked();
});

test('? lists the shortcuts, where they can be turned off for good', { tag: '@full' }, async ({ page }) => {
  await open(page, '/admin/nutri');
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Atalhos do teclado' });
  await expect(help).toContainText('Procurar na lista');
  await page.keyboard.press('n');
  await expect(help).toBeVisible();
  await help.getByLabel('Usar os atalhos de uma tecla só').uncheck();
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(page.locator('h1')).toBeVisible();
  for (const key of ['n', '/', '?']) await page.keyboard.press(key);
  await expect(page).toHaveURL(`${site.url}/admin/nutri`);
  await expect(help).toBeHidden();
  await expect(page.getByRole('searchbox')).not.toBeFocused();
  await page.getByRole('button', { name: 'Atalhos do teclado' }).click();
  await help.getByLabel('Usar os atalhos de uma tecla só').check();
  await help.getByRole('button', { name: 'Fechar' }).last().click();
  await expect(page.getByRole('button', { name: 'Atalhos do teclado' })).toBeFocused();
  await page.keyboard.press('n');
  await expect(page).toHaveURL(/newact/);
});
