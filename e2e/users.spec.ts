import { readFile } from 'node:fs/promises';
import { paths } from '#contract/paths.ts';
import { overflowOf } from './accessible.ts';
import { expect, signIn, siteWithUsers, test } from './journey.ts';
import { register } from './site.ts';
import { editUser, openUsers, save, saveButton } from './users-list.ts';

test.describe.configure({ timeout: 120_000 });

const { site, users } = siteWithUsers();
const addresses = ['/admin/users', '/participants'];

test('both addresses show one list, which searches, sorts and filters, and keeps all of it in the URL', async ({
  page,
}) => {
  await register(site, 'Ícaro Nóbrega');
  const rows = page.getByRole('rowheader');
  for (const path of addresses) {
    await openUsers(page, site, users.admin, path);
    // The newest sign-up comes first.
    await expect(rows.first()).toHaveText('Ícaro Nóbrega');
    await page.getByRole('searchbox').fill('NOBREGA');
    await expect(rows).toHaveText(['Ícaro Nóbrega']);
    await expect(page).toHaveURL(`${site.url}${path}?busca=NOBREGA`);
    await page.getByLabel('Papel').selectOption('Administração');
    await expect(
      page.getByText('Ninguém com "NOBREGA" no nome ou no e-mail, com esses filtros'),
    ).toBeVisible();
    await page.getByRole('searchbox').fill('');
    await expect(page).toHaveURL(`${site.url}${path}?papel=administracao`);
    await expect(rows).toHaveText(['Alice Admin']);
    await page.reload();
    await expect(rows).toHaveText(['Alice Admin']);
    await page.getByRole('link', { name: 'Limpar os filtros' }).click();
    await expect(page).toHaveURL(site.url + path);
    await expect(rows.first()).toHaveText('Ícaro Nóbrega');
    await page.getByRole('link', { name: 'Nome', exact: true }).click();
    await expect(rows.first()).toHaveText('Alice Admin');
    await expect(page.getByRole('columnheader', { name: 'Nome' })).toHaveAttribute('aria-sort', 'ascending');
    await page.getByRole('link', { name: 'Nome', exact: true }).click();
    await expect(page).toHaveURL(`${site.url}${path}?ordem=nome&sentido=desc`);
    await page.goBack();
    await expect(rows.first()).toHaveText('Alice Admin');
  }
});

test('a button loads more users, and the focus moves to them', { tag: '@full' }, async ({ page }) => {
  await page.route(`**${paths.documents.users}?*`, async (route) => {
    const url = new URL(route.request().url());
    url.searchParams.set('limit', '2');
    await route.continue({ url: url.href });
  });
  await openUsers(page, site, users.admin, '/admin/users');
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

test('the category patient is Paciente in the list, in the dialog and in the export', {
  tag: '@full',
}, async ({ page }) => {
  const user = await register(site, 'Gugu Google');
  await users.admin.client.documents.updateUser(user.uid, { category: 'patient' });
  await openUsers(page, site, users.admin);
  const row = page.getByRole('row', { name: /Gugu Google/ });
  await expect(row).toContainText('Paciente');
  await expect(row).not.toContainText('patient');
  const dialog = await editUser(page, 'Gugu Google');
  const category = dialog.getByLabel('Categoria');
  await expect(category).toHaveValue('Paciente');
  await category.fill('grupo');
  await save(dialog);
  await expect(dialog.getByText('Categoria salva.')).toBeVisible();
  await category.fill(' paciente');
  await save(dialog);
  await expect(dialog.getByText('Categoria salva.')).toBeVisible();
  expect(await users.admin.client.documents.getUser(user.uid)).toMatchObject({ category: 'patient' });
  const csv = await page.request.get(`${site.url}${paths.documents.usersCsv}?search=gugu`);
  expect(await csv.text()).toContain(';"Paciente";');
});

test('with the keyboard alone an admin sorts the list, finds a user, edits and saves', {
  tag: '@full',
}, async ({ page }) => {
  await register(site, 'Quitéria Teclas');
  await openUsers(page, site, users.admin);
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
  await dialog.getByRole('radio', { name: /^Paciente/ }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  for (let presses = 0; presses < 4; presses += 1) await page.keyboard.press('Tab');
  await expect(saveButton(dialog)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Mudanças salvas.')).toBeVisible();
  await expect(saveButton(dialog)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Editar Quitéria Teclas' })).toBeFocused();
});

test('on a phone the list is cards, no page scrolls sideways, and every action works', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await register(site, 'Tainá Celular');
  await openUsers(page, site, users.admin);
  expect(await overflowOf(page)).toBe(0);
  await page.getByLabel('E-mail', { exact: true }).selectOption('Não confirmado');
  await expect(page.getByRole('rowheader').first()).toHaveText('Tainá Celular');
  await expect(page.getByRole('link', { name: 'Cadastro , decrescente' })).toBeVisible();
  const dialog = await editUser(page, 'Tainá Celular');
  await dialog.getByRole('checkbox', { name: /^Pesquisa/ }).check();
  await save(dialog);
  await expect(dialog.getByText('Marca salva.')).toBeInViewport();
  expect(await overflowOf(page)).toBe(0);
  await dialog.getByRole('button', { name: 'Fechar' }).click();
  await expect(page.getByRole('row', { name: /Tainá Celular/ })).toContainText('Pesquisa');
});

test('the export contains the results of the search', { tag: '@full' }, async ({ page }) => {
  await register(site, 'Zoé Conceição');
  await openUsers(page, site, users.admin, '/participants?busca=conceicao');
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Exportar (CSV)' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('usuarios.csv');
  const text = await readFile(await file.path(), 'utf8');
  expect(text.charCodeAt(0)).toBe(0xfeff);
  const lines = text.slice(1).trim().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toBe(
    '"nome";"email";"categoria";"membro";"equipe";"pesquisa";"cadastro";"email_confirmado";"ultima_visita"',
  );
  expect(lines[1]).toMatch(
    /^"Zoé Conceição";"zoe\.conceicao@example\.com";"";"não";"não";"não";"\d{4}-.*";"não";"\d{4}-.*"$/,
  );
});

test('a failure shows a message and a retry button', { tag: '@full' }, async ({ page }) => {
  await signIn(page, site.url, users.admin);
  await page.route(`**${paths.documents.users}?*`, (route) => route.abort());
  await page.goto(`${site.url}/participants`);
  await expect(page.getByRole('alert')).toContainText('Sem conexão. Não conseguimos falar com o site.');
  await page.unroute(`**${paths.documents.users}?*`);
  await page.getByRole('button', { name: 'Tentar de novo' }).click();
  await expect(page.getByRole('rowheader').first()).toBeVisible();
});

test('patients, members and visitors get neither the list nor the export', { tag: '@full' }, async ({
  page,
  request,
}) => {
  for (const user of [undefined, users.patient, users.member]) {
    if (user) await signIn(page, site.url, user);
    for (const path of addresses) {
      await page.goto(site.url + path);
      await expect(page).toHaveURL(`${site.url}/`);
    }
    for (const path of [paths.documents.users, paths.documents.usersCsv]) {
      const response = await (user ? page.request : request).get(site.url + path);
      expect(response.status()).toBe(user ? 403 : 401);
    }
  }
});
