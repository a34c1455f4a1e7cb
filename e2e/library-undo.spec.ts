import type { Page } from '@playwright/test';
import { expect, signIn, siteWithUsers, test } from './journey.ts';

const { site, users } = siteWithUsers();

const create = (title: string) =>
  users.admin.client.documents.createActivity({
    axis: 'nutri',
    title,
    url: 'https://www.gov.br/saude/pt-br',
    content: `Para ${title}.`,
  });

const saved = async () => (await users.admin.client.documents.getActivities('nutriActsList')).activities;
const titles = (page: Page) => page.getByRole('article').getByRole('heading');

test.beforeEach(async ({ page }) => {
  const { documents } = users.admin.client;
  const { tag } = await documents.getActivities('nutriActsList');
  await documents.replaceActivities('nutriActsList', [], tag);
  for (const title of ['Arroz', 'Feijão', 'Couve']) await create(title);
  await signIn(page, site.url, users.admin);
  await page.goto(`${site.url}/admin/nutri`);
  await expect(titles(page)).toHaveText(['Arroz', 'Feijão', 'Couve']);
});

async function deleteByMouse(page: Page, title: string) {
  await page.getByRole('button', { name: `Deletar ${title}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Deletar' }).click();
  await expect(page.getByText(`${title} deleted`)).toBeVisible();
}

test('undo restores a deletion: same place, same id, same times, same content', async ({ page }) => {
  const before = await saved();
  await deleteByMouse(page, 'Feijão');
  await expect(titles(page)).toHaveText(['Arroz', 'Couve']);
  await expect(page.getByRole('button', { name: 'Couve', exact: true })).toBeFocused();
  expect(await saved()).toHaveLength(2);
  await page.getByRole('button', { name: 'Desfazer' }).click();
  await expect(titles(page)).toHaveText(['Arroz', 'Feijão', 'Couve']);
  await expect(page.getByRole('button', { name: 'Feijão', exact: true })).toBeFocused();
  expect(await saved()).toEqual(before);
});

test('with the keyboard the focus moves to the notice, which then stays', async ({ page }) => {
  await page.clock.install();
  await page.getByRole('button', { name: 'Deletar Couve' }).press('Enter');
  const question = page.getByRole('dialog', { name: 'Delete Couve?' });
  await question.getByRole('button', { name: 'Deletar' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Desfazer' })).toBeFocused();
  await page.clock.runFor(60_000);
  await page.keyboard.press('Enter');
  await expect(titles(page)).toHaveText(['Arroz', 'Feijão', 'Couve']);
  await expect(page.getByRole('button', { name: 'Couve', exact: true })).toBeFocused();
});

test('the undo notice stays at least ten seconds, then disappears', async ({ page }) => {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await deleteByMouse(page, 'Arroz');
  await page.mouse.move(10, 10);
  await page.clock.runFor(9_900);
  await expect(page.getByRole('button', { name: 'Desfazer' })).toBeVisible();
  await page.clock.runFor(1_000);
  await expect(page.getByRole('button', { name: 'Desfazer' })).toBeHidden();
});

test('Ctrl+Z undoes one deletion after another', async ({ page }) => {
  const before = await saved();
  await deleteByMouse(page, 'Feijão');
  await deleteByMouse(page, 'Couve');
  await page.keyboard.press('Control+z');
  await expect(titles(page)).toHaveText(['Arroz', 'Couve']);
  await page.keyboard.press('Control+z');
  await expect(titles(page)).toHaveText(['Arroz', 'Feijão', 'Couve']);
  expect(await saved()).toEqual(before);
});

test('undo keeps concurrent changes of another admin', async ({ page }) => {
  await deleteByMouse(page, 'Feijão');
  await create('Abóbora');
  await page.getByRole('button', { name: 'Desfazer' }).click();
  await expect(titles(page)).toHaveText(['Arroz', 'Feijão', 'Couve', 'Abóbora']);
});

test('the undo notice stays on another page', async ({ page }) => {
  const before = await saved();
  await deleteByMouse(page, 'Feijão');
  await page.getByRole('link', { name: 'Início' }).first().click();
  await expect(page.getByRole('link', { name: /^Nutri 2/ })).toBeVisible();
  await page.getByRole('button', { name: 'Desfazer' }).click();
  await expect(page.getByRole('link', { name: /^Nutri 3/ })).toBeVisible();
  expect(await saved()).toEqual(before);
});

test('without a connection undo shows a message and a retry', async ({ page }) => {
  await deleteByMouse(page, 'Feijão');
  await page.route('**/restore', (route) => route.abort());
  await page.getByRole('button', { name: 'Desfazer' }).click();
  await expect(page.getByText('Sem conexão.')).toBeVisible();
  await page.unroute('**/restore');
  await page.getByRole('button', { name: 'Desfazer' }).click();
  await expect(titles(page)).toHaveText(['Arroz', 'Feijão', 'Couve']);
});

test('after the last card is deleted, the focus is on the heading', async ({ page }) => {
  for (const title of ['Arroz', 'Feijão', 'Couve']) await deleteByMouse(page, title);
  await expect(page.getByRole('heading', { name: 'Nutri' })).toBeFocused();
  await expect(page.getByText('Nenhuma prática ainda.')).toBeVisible();
});
