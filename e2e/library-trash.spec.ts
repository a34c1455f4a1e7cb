import type { Page } from '@playwright/test';
import { expect, signIn, siteWithUsers, test } from './journey.ts';
import { registerAdmin } from './site.ts';

const { site, users } = siteWithUsers();

const titles = (page: Page) => page.getByRole('article').getByRole('heading');
const opener = (page: Page) => page.getByRole('button', { name: 'Deletadas' });
const trash = (page: Page) => page.getByRole('dialog', { name: 'Deletadas nas últimas 24 horas' });
const rows = (page: Page) => trash(page).getByRole('listitem');

const create = (axis: 'mind' | 'move' | 'nutri', title: string) =>
  users.admin.client.documents.createActivity({
    ...{ axis, title, url: 'https://www.gov.br/saude/pt-br', content: `Para ${title}.` },
  });

async function openList(page: Page, axis: string) {
  await signIn(page, site.url, users.admin);
  await page.goto(`${site.url}/admin/${axis}`);
  await expect(opener(page)).toBeVisible();
}

for (const [width, axis] of [
  [360, 'mind'],
  [1280, 'move'],
] as const)
  test(`at ${width} px any admin restores by keyboard what another admin has deleted`, {
    tag: '@full',
  }, async ({ page }) => {
    await page.setViewportSize({ width, height: 760 });
    await openList(page, axis);
    await opener(page).press('Enter');
    await expect(trash(page).getByText('Nenhuma prática foi deletada.')).toBeVisible();
    await page.keyboard.press('Escape');

    const [one, two] = [await create(axis, 'Arroz'), await create(axis, 'Feijão')];
    await create(axis, 'Couve');
    const bruno = await registerAdmin(site, users, `Bruno ${axis}`);
    await bruno.client.documents.deleteActivity(one);
    await users.admin.client.documents.deleteActivity(two);
    await page.reload();
    await expect(titles(page)).toHaveText(['Couve']);

    await opener(page).press('Enter');
    await expect(rows(page)).toHaveCount(2);
    const arroz = rows(page).filter({ hasText: 'Arroz' });
    await expect(arroz).toContainText(`Deletada por Bruno ${axis} em `);
    await expect(arroz).toContainText('Dá para restaurar até ');
    await arroz.getByRole('button', { name: 'Restaurar Arroz' }).press('Enter');
    const message = trash(page).getByText('“Arroz” está de volta na lista.');
    await expect(message).toBeFocused();
    await expect(rows(page)).toHaveCount(1);
    await page.keyboard.press('Tab');
    await expect(trash(page).getByRole('button', { name: 'Restaurar Feijão' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(opener(page)).toBeFocused();
    await expect(titles(page)).toHaveText(['Arroz', 'Couve']);
  });

test('a practice that this page has deleted comes back at its place, and its undo notice closes', {
  tag: '@full',
}, async ({ page }) => {
  for (const title of ['Pão', 'Sopa', 'Chá']) await create('nutri', title);
  await openList(page, 'nutri');
  await page.getByRole('button', { name: 'Deletar Sopa' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Deletar' }).click();
  await expect(page.getByText('Sopa deleted')).toBeVisible();
  await expect(titles(page)).toHaveText(['Pão', 'Chá']);
  await opener(page).click();
  await trash(page).getByRole('button', { name: 'Restaurar Sopa' }).click();
  await expect(trash(page).getByText('Não há mais nada aqui.')).toBeVisible();
  await trash(page).getByRole('button', { name: 'Fechar', exact: true }).last().click();
  await expect(titles(page)).toHaveText(['Pão', 'Sopa', 'Chá']);
  await expect(page.getByText('Sopa deleted')).toHaveCount(0);
});

test('a message says that another admin may have restored a practice, and a restore without connection can be repeated', {
  tag: '@full',
}, async ({ page }) => {
  const gone = await create('nutri', 'Mel');
  const kept = await create('nutri', 'Sal');
  const { documents } = users.admin.client;
  await documents.deleteActivity(gone);
  await documents.deleteActivity(kept);
  await openList(page, 'nutri');
  await opener(page).click();
  await expect(rows(page).filter({ hasText: 'Mel' })).toBeVisible();
  await documents.restoreActivity(gone);
  await trash(page).getByRole('button', { name: 'Restaurar Mel' }).click();
  await expect(
    trash(page).getByText('“Mel” não está mais aqui: as 24 horas passaram, ou alguém já a restaurou.'),
  ).toBeFocused();
  await page.route('**/restore', (route) => route.abort());
  await trash(page).getByRole('button', { name: 'Restaurar Sal' }).click();
  await expect(trash(page).getByText('Sem conexão.')).toBeVisible();
  await page.unroute('**/restore');
  await trash(page).getByRole('button', { name: 'Restaurar Sal' }).click();
  await expect(trash(page).getByText('“Sal” está de volta na lista.')).toBeFocused();
});
