import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { paths } from '#contract/paths.ts';
import { expectAccessible, overflowOf } from './accessible.ts';
import { expect, signIn, siteWithUsers, test } from './journey.ts';
import { register, registerAdmin, type TestUser } from './site.ts';

test.describe.configure({ timeout: 120_000 });

const { site, users } = siteWithUsers();
const lists = ['/admin/users', '/participants'];

async function open(page: Page, path: string, user: TestUser = users.admin) {
  await signIn(page, site.url, user);
  await page.goto(site.url + path);
  await expect(page.getByRole('rowheader').first()).toBeVisible();
}

/** Opens the dialog for editing a user with a click. */
async function edit(page: Page, name: string) {
  await page.getByRole('button', { name: `Editar ${name}` }).click();
  const dialog = page.getByRole('dialog', { name, exact: true });
  await expect(dialog).toBeVisible();
  return dialog;
}

test('both lists search and sort, and keep search and order in the address', async ({ page }) => {
  await register(site, 'Ícaro Nóbrega');
  for (const path of lists) {
    await open(page, path);
    await page.getByRole('searchbox').fill('NOBREGA');
    await expect(page.getByRole('rowheader')).toHaveText(['Ícaro Nóbrega']);
    await expect(page).toHaveURL(`${site.url}${path}?busca=NOBREGA`);
    await page.getByRole('searchbox').fill('ninguem se chama assim');
    await expect(page.getByText('Ninguém com "ninguem se chama assim"')).toBeVisible();
    await page.getByRole('searchbox').fill('');
    await expect(page).toHaveURL(site.url + path);
    await expect(page.getByRole('rowheader').first()).toHaveText('Alice Admin');

    await page.getByRole('link', { name: 'Nome', exact: true }).click();
    await expect(page.getByRole('rowheader').first()).not.toHaveText('Alice Admin');
    await expect(page.getByRole('columnheader', { name: 'Nome' })).toHaveAttribute('aria-sort', 'descending');
    await page.getByRole('link', { name: 'Cadastro' }).click();
    await expect(page.getByRole('rowheader').first()).toHaveText('Alice Admin');
    await expect(page).toHaveURL(`${site.url}${path}?ordem=cadastro`);
    await expect(page.getByRole('columnheader', { name: 'Cadastro' })).toHaveAttribute(
      'aria-sort',
      'ascending',
    );
    await page.getByRole('link', { name: 'Cadastro' }).click();
    await expect(page.getByRole('rowheader').first()).toHaveText('Ícaro Nóbrega');
    await page.reload();
    await expect(page.getByRole('rowheader').first()).toHaveText('Ícaro Nóbrega');
    await page.goBack();
    await expect(page.getByRole('rowheader').first()).toHaveText('Alice Admin');
  }
});

test('a button loads more users, and the focus moves to them', async ({ page }) => {
  await page.route(`**${paths.documents.users}?*`, async (route) => {
    const url = new URL(route.request().url());
    url.searchParams.set('limit', '2');
    await route.continue({ url: url.href });
  });
  await open(page, '/admin/users');
  await expect(page.getByRole('rowheader')).toHaveCount(2);
  const more = page.getByRole('button', { name: 'Carregar mais' });
  await more.press('Enter');
  await expect(page.getByRole('rowheader').nth(2)).toBeFocused();
  while (await more.isVisible()) {
    const shown = await page.getByRole('rowheader').count();
    await more.press('Enter');
    await expect(page.getByRole('rowheader').nth(shown)).toBeFocused();
  }
  await expect(page.getByRole('status').filter({ hasText: /^\d+ pessoas$/ })).toBeVisible();
});

test('an admin sets role, flags and category of a user, each saved separately', async ({ page }) => {
  const user = await register(site, 'Rui Barros');
  await open(page, '/participants');
  const dialog = await edit(page, 'Rui Barros');
  await dialog.getByRole('radio', { name: /^Membro/ }).check();
  await dialog.getByRole('button', { name: 'Salvar papel' }).click();
  await expect(dialog.getByText('Salvo: papel.')).toBeVisible();
  await dialog.getByRole('checkbox', { name: /^Equipe/ }).check();
  await expect(dialog.getByText('Salvo: Equipe.')).toBeVisible();
  await dialog.getByRole('checkbox', { name: /^Pesquisa/ }).check();
  await expect(dialog.getByText('Salvo: Pesquisa.')).toBeVisible();
  await dialog.getByLabel('Categoria').fill('grupo da manhã');
  await dialog.getByLabel('Categoria').press('Enter');
  await expect(dialog.getByText('Salvo: categoria.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Editar Rui Barros' })).toBeFocused();

  const row = page.getByRole('row', { name: /Rui Barros/ });
  for (const words of ['Membro', 'Equipe', 'Pesquisa', 'grupo da manhã'])
    await expect(row).toContainText(words);
  const record = await users.admin.client.documents.getUser(user.uid);
  expect(record).toMatchObject({ member: true, staff: true, research: true, category: 'grupo da manhã' });
  const { accessLog } = await user.client.documents.exportAccount();
  const changes = accessLog.filter(({ action }) => action === 'change');
  expect(changes.map(({ by, what }) => `${by}: ${what}`)).toEqual(
    ['member', 'staff', 'research', 'category'].map((what) => `Alice Admin: ${what}`),
  );
});

test('granting and revoking the admin role needs confirmation; the last admin stays', async ({ page }) => {
  const user = await register(site, 'Lia Campos');
  await open(page, '/participants');
  const dialog = await edit(page, 'Lia Campos');
  await dialog.getByRole('radio', { name: /^Administração/ }).check();
  await dialog.getByRole('button', { name: 'Salvar papel' }).click();
  await page
    .getByRole('dialog', { name: /^Dar a administração/ })
    .getByRole('button', { name: 'Cancelar' })
    .click();
  await expect(dialog.getByRole('button', { name: 'Salvar papel' })).toBeFocused();
  expect(await users.admin.client.documents.getUser(user.uid)).toMatchObject({ member: false });
  await dialog.getByRole('button', { name: 'Salvar papel' }).click();
  await page.getByRole('button', { name: 'Dar a administração' }).click();
  await expect(dialog.getByText('Salvo: papel.')).toBeVisible();
  expect(await users.admin.client.documents.getUser(user.uid)).toMatchObject({ member: 'admin' });

  await dialog.getByRole('radio', { name: /^Sem papel/ }).check();
  await dialog.getByRole('button', { name: 'Salvar papel' }).click();
  await page.getByRole('button', { name: 'Tirar a administração' }).click();
  await expect.poll(() => users.admin.client.documents.getUser(user.uid)).toMatchObject({ member: false });
  await page.keyboard.press('Escape');

  const own = await edit(page, 'Alice Admin');
  await own.getByRole('radio', { name: /^Membro/ }).check();
  await own.getByRole('button', { name: 'Salvar papel' }).click();
  await page.getByRole('button', { name: 'Tirar a administração' }).click();
  await expect(own.getByRole('alert')).toHaveText('É preciso haver pelo menos uma conta de administração.');
  expect(await users.admin.client.documents.getUser(users.admin.uid)).toMatchObject({ member: 'admin' });
});

test('an admin who gives up the role leaves the area', async ({ page }) => {
  const user = await registerAdmin(site, users, 'Gil Neves');
  await open(page, '/participants', user);
  const dialog = await edit(page, 'Gil Neves');
  await dialog.getByRole('radio', { name: /^Membro/ }).check();
  await dialog.getByRole('button', { name: 'Salvar papel' }).click();
  await page.getByRole('button', { name: 'Tirar a administração' }).click();
  await expect(page).toHaveURL(`${site.url}/`);
  await page.goto(`${site.url}/participants`);
  await expect(page).toHaveURL(`${site.url}/`);
});

test('a concurrent change by another admin is not overwritten', async ({ page }) => {
  const user = await register(site, 'Nara Pires');
  await open(page, '/participants');
  const dialog = await edit(page, 'Nara Pires');
  await users.admin.client.documents.updateUser(user.uid, { member: true, category: 'grupo' });
  await dialog.getByRole('checkbox', { name: /^Equipe/ }).click();
  await expect(dialog.getByRole('alert')).toContainText('Este cadastro mudou depois que você o abriu.');
  await expect(dialog.getByRole('radio', { name: /^Membro/ })).toBeChecked();
  await expect(dialog.getByLabel('Categoria')).toHaveValue('grupo');
  expect(await users.admin.client.documents.getUser(user.uid)).toMatchObject({ staff: false });
  await dialog.getByRole('checkbox', { name: /^Equipe/ }).click();
  await expect(dialog.getByText('Salvo: Equipe.')).toBeVisible();
  expect(await users.admin.client.documents.getUser(user.uid)).toMatchObject({
    staff: true,
    member: true,
  });
});

test('with the keyboard alone an admin sorts the list, finds a user, edits and saves', async ({ page }) => {
  await register(site, 'Quitéria Teclas');
  await open(page, '/participants');
  await page.getByRole('link', { name: 'Email' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/ordem=email/);
  await expect(page.getByRole('columnheader', { name: 'Email' })).toHaveAttribute('aria-sort', 'ascending');
  await expect(page.getByRole('link', { name: 'Email' })).toBeFocused();
  await page.getByRole('searchbox').focus();
  await page.keyboard.type('quit');
  await expect(page.getByRole('rowheader')).toHaveText(['Quitéria Teclas']);
  await expect(page.getByRole('searchbox')).toBeFocused();
  await page.getByRole('button', { name: 'Editar Quitéria Teclas' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Quitéria Teclas' });
  await dialog.getByRole('radio', { name: /^Sem papel/ }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('button', { name: 'Salvar papel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Salvo: papel.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Salvar papel' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect(dialog.getByText('Salvo: Equipe.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Editar Quitéria Teclas' })).toBeFocused();
});

test('on a phone the lists are cards, no page scrolls sideways, and every action works', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await register(site, 'Tainá Celular');
  await open(page, '/participants');
  expect(await overflowOf(page)).toBe(0);
  await page.getByRole('link', { name: 'Cadastro' }).click();
  await page.getByRole('link', { name: /Cadastro.*, crescente/ }).click();
  await expect(page.getByRole('rowheader').first()).toHaveText('Tainá Celular');
  await expect(page.getByRole('link', { name: 'Cadastro , decrescente' })).toBeVisible();
  const dialog = await edit(page, 'Tainá Celular');
  await dialog.getByRole('checkbox', { name: /^Pesquisa/ }).check();
  await expect(dialog.getByText('Salvo: Pesquisa.')).toBeInViewport();
  expect(await overflowOf(page)).toBe(0);
  await dialog.getByRole('button', { name: 'Fechar' }).click();
  await expect(page.getByRole('row', { name: /Tainá Celular/ })).toContainText('Pesquisa');
});

test('the export contains the results of the search', async ({ page }) => {
  await register(site, 'Zoé Conceição');
  await open(page, '/participants?busca=conceicao');
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Exportar (CSV)' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('usuarios.csv');
  const text = await readFile(await file.path(), 'utf8');
  expect(text.charCodeAt(0)).toBe(0xfeff);
  const lines = text.slice(1).trim().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toBe(
    '"nome";"email";"categoria";"membro";"equipe";"pesquisa";"cadastro";"email_confirmado"',
  );
  expect(lines[1]).toMatch(
    /^"Zoé Conceição";"zoe\.conceicao@example\.com";"";"não";"não";"não";"\d{4}-.*";"não"$/,
  );
});

test('a failure shows a message and a retry button', async ({ page }) => {
  await signIn(page, site.url, users.admin);
  await page.route(`**${paths.documents.users}?*`, (route) => route.abort());
  await page.goto(`${site.url}/participants`);
  await expect(page.getByRole('alert')).toContainText('Sem conexão.');
  await page.unroute(`**${paths.documents.users}?*`);
  await page.getByRole('button', { name: 'Tentar de novo' }).click();
  await expect(page.getByRole('rowheader').first()).toBeVisible();
});

test('patients, members and visitors get neither the lists nor the export', async ({ page, request }) => {
  for (const user of [undefined, users.patient, users.member]) {
    if (user) await signIn(page, site.url, user);
    for (const path of lists) {
      await page.goto(site.url + path);
      await expect(page).toHaveURL(`${site.url}/`);
    }
    for (const path of [paths.documents.users, paths.documents.usersCsv]) {
      const response = await (user ? page.request : request).get(site.url + path);
      expect(response.status()).toBe(user ? 403 : 401);
    }
  }
});

test('every state of the lists is accessible, in light and dark', async ({ page }) => {
  const user = await register(site, 'Bia Acesso');
  await users.admin.client.documents.updateUser(user.uid, {
    member: true,
    staff: true,
    category: 'grupo',
  });
  await open(page, '/participants');
  await expectAccessible(page, 'participants');
  const dialog = await edit(page, 'Bia Acesso');
  await dialog.getByRole('checkbox', { name: /^Pesquisa/ }).check();
  await expect(dialog.getByText('Salvo: Pesquisa.')).toBeVisible();
  await expectAccessible(page, 'editing');
  await dialog.getByRole('radio', { name: /^Administração/ }).check();
  await dialog.getByRole('button', { name: 'Salvar papel' }).click();
  await expect(page.getByRole('dialog', { name: /^Dar a administração/ })).toBeVisible();
  await expectAccessible(page, 'confirming');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox').fill('ninguem assim');
  await expect(page.getByText('Ninguém com')).toBeVisible();
  await expectAccessible(page, 'no user found');
});
