import { expect, siteWithUsers, test } from './journey.ts';
import { register, registerAdmin } from './site.ts';
import { editUser, openUsers, save, saveButton } from './users-list.ts';

test.describe.configure({ timeout: 120_000 });

const { site, users } = siteWithUsers();

test('an admin sets role, marks and category of a user, and one button saves them', async ({ page }) => {
  const user = await register(site, 'Rui Barros');
  await openUsers(page, site, users.admin);
  const dialog = await editUser(page, 'Rui Barros');
  await expect(dialog.getByRole('radio', { name: 'Paciente: usa as práticas.' })).toBeChecked();
  await dialog.getByRole('radio', { name: /^Membro/ }).check();
  await save(dialog);
  await expect(dialog.getByText('Papel salvo.')).toBeVisible();
  await dialog.getByRole('checkbox', { name: /^Equipe/ }).check();
  await dialog.getByRole('checkbox', { name: /^Pesquisa.*Aceitou participar da pesquisa\./ }).check();
  await dialog.getByLabel('Categoria').fill('grupo da manhã');
  await expect(dialog.getByText('Ainda não salvo.')).toBeVisible();
  await dialog.getByLabel('Categoria').press('Enter');
  await expect(dialog.getByText('Mudanças salvas.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Editar Rui Barros' })).toBeFocused();

  const row = page.getByRole('row', { name: /Rui Barros/ });
  for (const words of ['Membro', 'Equipe', 'Pesquisa', 'grupo da manhã'])
    await expect(row).toContainText(words);
  const record = await users.admin.client.documents.getUser(user.uid);
  expect(record).toMatchObject({ member: true, staff: true, research: true, category: 'grupo da manhã' });
  const { accessLog } = await user.client.documents.exportAccount();
  const changes = accessLog.filter(({ action }) => action === 'change');
  expect(changes.map(({ by, what }) => `${by}: ${what}`)).toEqual([
    'Alice Admin: member',
    'Alice Admin: staff research category',
  ]);
});

test('marks that are set on a slow line are both stored, and closing too early asks first', {
  tag: '@full',
}, async ({ page, context }) => {
  const user = await register(site, 'Lina Lenta');
  await openUsers(page, site, users.admin);
  const dialog = await editUser(page, 'Lina Lenta');
  const line = await context.newCDPSession(page);
  await line.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 1_500,
    downloadThroughput: 4_000,
    uploadThroughput: 4_000,
  });
  await dialog.getByRole('checkbox', { name: /^Equipe/ }).check();
  await save(dialog);
  // The first save is still under way.
  await expect(dialog.getByRole('button', { name: 'Salvando…' })).toBeVisible();
  await dialog.getByRole('checkbox', { name: /^Pesquisa/ }).check();
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Fechar sem salvar?' });
  await question.getByRole('button', { name: 'Continuar editando' }).click();
  await expect(dialog.getByText('Ainda não salvo.')).toBeVisible();
  await expect(dialog.getByRole('checkbox', { name: /^Equipe/ })).toBeChecked();
  await save(dialog);
  await expect(dialog.getByText('Marca salva.')).toBeVisible();
  expect(await users.admin.client.documents.getUser(user.uid)).toMatchObject({ staff: true, research: true });
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

test('marks that cannot be saved stay in the dialog, with the reason', { tag: '@full' }, async ({
  page,
  context,
}) => {
  const user = await register(site, 'Célia Caída');
  await openUsers(page, site, users.admin);
  const dialog = await editUser(page, 'Célia Caída');
  await context.setOffline(true);
  await dialog.getByRole('checkbox', { name: /^Equipe/ }).check();
  await dialog.getByRole('checkbox', { name: /^Pesquisa/ }).check();
  await save(dialog);
  await expect(dialog.getByRole('alert')).toContainText('Não conseguimos falar com o site.');
  await context.setOffline(false);
  await save(dialog);
  await expect(dialog.getByText('Mudanças salvas.')).toBeVisible();
  expect(await users.admin.client.documents.getUser(user.uid)).toMatchObject({ staff: true, research: true });
});

test('granting and revoking the admin role needs confirmation; the last admin stays', {
  tag: '@full',
}, async ({ page }) => {
  const user = await register(site, 'Lia Campos');
  await openUsers(page, site, users.admin);
  const dialog = await editUser(page, 'Lia Campos');
  await dialog.getByRole('radio', { name: /^Administração/ }).check();
  await save(dialog);
  const question = page.getByRole('dialog', { name: 'Tornar a conta de Lia Campos administradora?' });
  await question.getByRole('button', { name: 'Cancelar' }).click();
  await expect(saveButton(dialog)).toBeFocused();
  expect(await users.admin.client.documents.getUser(user.uid)).toMatchObject({ member: false });
  await save(dialog);
  await question.getByRole('button', { name: 'Tornar administradora' }).click();
  await expect(dialog.getByText('Papel salvo.')).toBeVisible();
  expect(await users.admin.client.documents.getUser(user.uid)).toMatchObject({ member: 'admin' });

  await dialog.getByRole('radio', { name: /^Paciente/ }).check();
  await save(dialog);
  await page.getByRole('button', { name: 'Tirar a administração' }).click();
  await expect(dialog.getByText('Papel salvo.')).toBeVisible();
  expect(await users.admin.client.documents.getUser(user.uid)).toMatchObject({ member: false });
  await page.keyboard.press('Escape');

  const own = await editUser(page, 'Alice Admin');
  await own.getByRole('radio', { name: /^Membro/ }).check();
  await save(own);
  await page.getByRole('button', { name: 'Tirar a administração' }).click();
  await expect(own.getByRole('alert')).toHaveText('É preciso haver pelo menos uma conta de administração.');
  expect(await users.admin.client.documents.getUser(users.admin.uid)).toMatchObject({ member: 'admin' });
});

test('an admin who gives up the role leaves the area', { tag: '@full' }, async ({ page }) => {
  const user = await registerAdmin(site, users, 'Gil Neves');
  await openUsers(page, site, user);
  const dialog = await editUser(page, 'Gil Neves');
  await dialog.getByRole('radio', { name: /^Membro/ }).check();
  await save(dialog);
  await page.getByRole('button', { name: 'Tirar a administração' }).click();
  await expect(page).toHaveURL(`${site.url}/`);
  await page.goto(`${site.url}/participants`);
  await expect(page).toHaveURL(`${site.url}/`);
});

test('a concurrent change by another admin is not overwritten', { tag: '@full' }, async ({ page }) => {
  const user = await register(site, 'Nara Pires');
  await openUsers(page, site, users.admin);
  const dialog = await editUser(page, 'Nara Pires');
  await users.admin.client.documents.updateUser(user.uid, { member: true, category: 'grupo' });
  await dialog.getByRole('checkbox', { name: /^Equipe/ }).check();
  await save(dialog);
  await expect(dialog.getByRole('alert')).toContainText('Este cadastro mudou depois que você o abriu.');
  await expect(dialog.getByRole('radio', { name: /^Membro/ })).toBeChecked();
  await expect(dialog.getByLabel('Categoria')).toHaveValue('grupo');
  await expect(dialog.getByRole('checkbox', { name: /^Equipe/ })).toBeChecked();
  expect(await users.admin.client.documents.getUser(user.uid)).toMatchObject({ staff: false });
  await save(dialog);
  await expect(dialog.getByText('Marca salva.')).toBeVisible();
  expect(await users.admin.client.documents.getUser(user.uid)).toMatchObject({
    staff: true,
    member: true,
  });
});
