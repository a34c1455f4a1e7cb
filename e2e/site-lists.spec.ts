import type { Page } from '@playwright/test';
import { expect, signIn, siteWithUsers, test } from './journey.ts';
import { openSection, preview, publishClinic, readSection, save } from './site-editor.ts';

const { site, users } = siteWithUsers();

test.beforeAll(() => publishClinic(users.admin));
test.beforeEach(({ page }) => signIn(page, site.url, users.admin));

const networks = (page: Page) => page.getByRole('group', { name: 'Redes sociais' });

/** The names of the networks in their order on screen. */
const shown = async (page: Page) =>
  (await networks(page).locator('summary').allTextContents()).map((text) => text.split(': ')[1]);

const handle = (page: Page, number: number) =>
  networks(page).getByRole('button', { name: new RegExp(`^Mover rede ${number} `) });

test('items of a list are ordered with the keys, and the order is published', async ({ page }) => {
  await openSection(page, site.url, 'identity');
  expect(await shown(page)).toEqual(['Instagram', 'YouTube', 'LinkedIn']);
  await handle(page, 1).focus();
  await page.keyboard.press('ArrowDown');
  await expect(networks(page).getByRole('status')).toHaveText('Agora na posição 2 de 3.');
  await expect(handle(page, 2)).toBeFocused();
  await page.keyboard.press('End');
  await expect(networks(page).getByRole('status')).toHaveText('Agora na posição 3 de 3.');
  await expect(handle(page, 3)).toBeFocused();
  expect(await shown(page)).toEqual(['YouTube', 'LinkedIn', 'Instagram']);
  const inFooter = preview(page)
    .getByRole('contentinfo')
    .getByRole('link', { name: /YouTube|LinkedIn|Instagram/ });
  await expect(inFooter.first()).toContainText('YouTube');
  await save(page);

  await page.getByRole('link', { name: 'Rever e publicar' }).click();
  await expect(page.getByRole('heading', { name: 'O que muda' })).toBeVisible();
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await page.getByRole('button', { name: 'Publicar agora' }).click();
  await expect(page.getByText('Publicado.')).toBeVisible();
  const { identity } = await users.admin.client.site.getContent();
  expect(identity.social.map(({ network }) => network)).toEqual(['YouTube', 'LinkedIn', 'Instagram']);
});

test('an item is dragged to its place with the mouse', async ({ page }) => {
  await openSection(page, site.url, 'identity');
  const before = await shown(page);
  await handle(page, 3).scrollIntoViewIfNeeded();
  await networks(page).evaluate((list) => list.scrollIntoView({ block: 'start' }));
  const [from, to] = [await handle(page, 1).boundingBox(), await handle(page, 3).boundingBox()];
  if (!from || !to) throw new Error('Nothing to drag.');
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y + to.height / 2, { steps: 4 });
  await page.mouse.move(to.x, to.y + to.height, { steps: 4 });
  await expect(page.locator('[data-drop]')).toHaveCount(1);
  await page.mouse.up();
  await expect.poll(() => shown(page)).toEqual([before[1], before[2], before[0]]);
  await save(page);
  const { content } = await readSection(users.admin, 'identity');
  expect(content.social.map(({ network }) => network)).toEqual(await shown(page));
});

test('a removed item comes back with Desfazer, where it was, with what was typed', async ({ page }) => {
  await openSection(page, site.url, 'identity');
  const before = await shown(page);
  await networks(page).locator('summary').nth(1).click();
  await networks(page).getByLabel('Endereço da página').nth(1).fill('https://exemplo.example/novo');
  await page.getByRole('button', { name: 'Remover rede 2' }).press('Enter');
  await expect(page.getByText('Rede removida.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Desfazer' })).toBeFocused();
  expect(await shown(page)).toEqual([before[0], before[2]]);
  await page.keyboard.press('Enter');
  expect(await shown(page)).toEqual(before);
  await expect(networks(page).getByLabel('Endereço da página').nth(1)).toHaveValue(
    'https://exemplo.example/novo',
  );
  await expect(networks(page).locator(':focus')).toHaveCount(1);
});

test('a new item opens with the focus in it, and the items beside it stay as they are', async ({ page }) => {
  await openSection(page, site.url, 'member');
  const links = page.getByRole('group', { name: 'Links úteis' });
  const count = await links.getByRole('listitem').count();
  const add = links.getByRole('button', { name: 'Acrescentar link' });
  for (const title of ['Um', 'Dois', 'Três']) {
    await add.click();
    await page.keyboard.type(title);
  }
  await expect(links.getByLabel('Título').filter({ visible: true })).toHaveCount(count + 3);
  await expect(links.getByLabel('Título').nth(count + 2)).toHaveValue('Três');
  await save(page);
  await expect(page.getByText('Faltam corrigir 6 campos antes de publicar.')).toBeVisible();
});

test('at most two specialties can be named', async ({ page }) => {
  await openSection(page, site.url, 'identity');
  const add = page.getByRole('button', { name: 'Acrescentar especialidade' });
  await add.click();
  await expect(add).toBeHidden();
  await page.getByRole('button', { name: 'Remover especialidade 2' }).click();
  await expect(add).toBeVisible();
});
