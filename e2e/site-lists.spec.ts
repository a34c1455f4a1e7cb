import type { Locator, Page } from '@playwright/test';
import { demoContent } from '#clinic/demo-content.ts';
import type { SectionName } from '#contract/site/content.ts';
import { textsIn } from '#contract/site/sample-values.ts';
import { expect, signIn, siteWithUsers, test } from './journey.ts';
import {
  changeSection,
  openPart,
  openSection,
  preview,
  publishClinic,
  readSection,
  save,
} from './site-editor.ts';

const { site, users } = siteWithUsers();

test.beforeAll(() => publishClinic(users.admin));
test.beforeEach(({ page }) => signIn(page, site.url, users.admin));

const networks = (page: Page) => page.getByRole('group', { name: 'Redes sociais' });

/** The names of the networks in their order on screen. */
/** The titles of a list's items, without their numbers and marks. */
const titlesIn = (list: Locator) => list.locator('summary > span:nth-of-type(2)').allTextContents();
const shown = (page: Page) => titlesIn(networks(page));

const handle = (page: Page, number: number) =>
  networks(page).getByRole('button', { name: new RegExp(`^Mover rede ${number} `) });

/** Drags an item by its handle past the middle of another item. */
async function drag(page: Page, handle: Locator, target: Locator) {
  await handle.evaluate((button) => button.closest('ol')?.scrollIntoView({ block: 'start' }));
  const [from, to] = [await handle.boundingBox(), await target.boundingBox()];
  if (!from || !to) throw new Error('Nothing to drag.');
  const away = to.y > from.y ? to.height : 0;
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y + to.height / 2, { steps: 4 });
  await page.mouse.move(to.x, to.y + away, { steps: 4 });
  await expect(page.locator('[data-drop]')).toHaveCount(1);
  await page.mouse.up();
}

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

test('an item is dragged to its place with the mouse', { tag: '@full' }, async ({ page }) => {
  await openSection(page, site.url, 'identity');
  const before = await shown(page);
  await drag(page, handle(page, 1), handle(page, 3));
  await expect.poll(() => shown(page)).toEqual([before[1], before[2], before[0]]);
  await save(page);
  const { content } = await readSection(users.admin, 'identity');
  expect(content.social.map(({ network }) => network)).toEqual(await shown(page));
});

test('a removed item comes back with Desfazer, where it was, with what was typed', { tag: '@full' }, async ({
  page,
}) => {
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

test('a new item opens with the focus in it, and the items beside it stay as they are', {
  tag: '@full',
}, async ({ page }) => {
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

const lists: [section: SectionName, part: string, list: string, noun: string][] = [
  ['questions', '', 'Perguntas', 'pergunta'],
  ['home', 'A primeira consulta', 'Os passos', 'passo'],
  ['home', 'Para levar com você', 'Links', 'link'],
  ['practices', '', 'As seis dicas', 'dica'],
  ['practices', '', 'Necessidades', 'necessidade'],
  ['diary', '', 'Palavras', 'palavra'],
];
for (const [section, part, name, noun] of lists)
  test(`items of the list ${name} can be ordered, and a removed one comes back`, { tag: '@full' }, async ({
    page,
  }) => {
    await openSection(page, site.url, section);
    if (part) await openPart(page, part);
    const list = page.getByRole('group', { name, exact: true });
    const titles = () => titlesIn(list);
    const handleOf = (number: number) =>
      list.getByRole('button', { name: new RegExp(`^Mover ${noun} ${number} `) });
    const before = await titles();
    const [first = '', second = '', ...others] = before;
    await handleOf(1).press('ArrowDown');
    await expect(list.getByRole('status')).toHaveText(`Agora na posição 2 de ${before.length}.`);
    expect(await titles()).toEqual([second, first, ...others]);
    await drag(page, handleOf(2), handleOf(1));
    await expect.poll(titles).toEqual(before);
    await handleOf(1).press('End');
    const order = [second, ...others, first];
    expect(await titles()).toEqual(order);

    const remove = list.getByRole('button', { name: `Remover ${noun} 2` });
    const add = list.getByRole('button', { name: `Acrescentar ${noun}` });
    if (name === 'As seis dicas') {
      // The page's text says that there are six items, so an admin cannot add or remove any.
      await expect(remove.or(add)).toHaveCount(0);
    } else {
      await remove.press('Enter');
      await expect.poll(titles).toEqual(order.toSpliced(1, 1));
      await page.getByRole('button', { name: 'Desfazer' }).press('Enter');
      await expect.poll(titles).toEqual(order);
      await add.click();
      await page.keyboard.type(`Mais um ${noun}`);
      await expect.poll(titles).toEqual([...order, `Mais um ${noun}`]);
    }
    const shown = await titles();
    await save(page);
    const { content } = await readSection(users.admin, section);
    const saved = textsIn(content).map(({ text }) => text);
    const places = shown.map((title) => saved.indexOf(title.replace(/ · Pesa$/, '')));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });

test('the home page can have one to six steps', { tag: '@full' }, async ({ page }) => {
  const { home } = demoContent;
  await changeSection(users.admin, 'home', () => ({
    ...home,
    steps: { ...home.steps, items: [{ title: 'Você escreve', text: 'Uma mensagem curta.' }] },
  }));
  await openSection(page, site.url, 'home');
  await openPart(page, 'A primeira consulta');
  const list = page.getByRole('group', { name: 'Os passos' });
  const add = list.getByRole('button', { name: 'Acrescentar passo' });
  for (const title of ['Dois', 'Três', 'Quatro', 'Cinco', 'Seis']) {
    await add.click();
    await page.keyboard.type(title);
    await list.getByLabel('Texto').filter({ visible: true }).last().fill('Um texto.');
  }
  await expect(add).toBeHidden();
  await save(page);
  await expect(page.getByText('Rascunho salvo. Falta publicar.')).toBeVisible();
});

test('at most two specialties can be named', { tag: '@full' }, async ({ page }) => {
  await openSection(page, site.url, 'identity');
  const add = page.getByRole('button', { name: 'Acrescentar especialidade' });
  await add.click();
  await expect(add).toBeHidden();
  await page.getByRole('button', { name: 'Remover especialidade 2' }).click();
  await expect(add).toBeVisible();
});
