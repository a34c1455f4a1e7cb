import type { Page } from '@playwright/test';
import type { Axis } from '#contract/axes.ts';
import { expect, signIn, siteWithUsers, test } from './journey.ts';

const { site, users } = siteWithUsers();

/** Replaces a list with one activity per title. */
async function fill(axis: 'mind' | 'move', titles: string[]) {
  const { documents } = users.admin.client;
  const { tag } = await documents.getActivities(`${axis}ActsList`);
  await documents.replaceActivities(`${axis}ActsList`, [], tag);
  const created = [];
  for (const title of titles) created.push(await create(axis, title));
  return created;
}

const create = (axis: Axis, title: string) =>
  users.admin.client.documents.createActivity({
    axis,
    title,
    url: 'https://youtu.be/aBcDeFgHiJ0',
    content: `Para ${title}.`,
  });

const titles = (page: Page) => page.getByRole('article').getByRole('heading');

async function savedTitles(axis: 'mind' | 'move' | 'values') {
  const { activities } = await users.admin.client.documents.getActivities(`${axis}ActsList`);
  return activities.map(({ title }) => title);
}

async function open(page: Page, path: string) {
  await signIn(page, site.url, users.admin);
  // The activities' texts load after the page, in a response with the newest version of the list. Waits for
  // that response.
  const texts = page.waitForResponse(/\/\w+ActsList\/items\?part=0$/);
  await page.goto(site.url + path);
  await (await texts).finished();
  await expect(page.getByRole('article').first()).toBeVisible();
}

/** Drags a card by its handle and drops it just below the middle of another card. */
async function drag(page: Page, from: string, over: string) {
  await page.getByRole('article').filter({ hasText: over }).scrollIntoViewIfNeeded();
  const handle = await page.getByRole('button', { name: `Mover ${from}` }).boundingBox();
  const target = await page.getByRole('article').filter({ hasText: over }).boundingBox();
  if (!handle || !target) throw new Error('Nothing to drag.');
  await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2);
  await page.mouse.down();
  await page.mouse.move(handle.x + 10, target.y + target.height * 0.4, { steps: 4 });
  await page.mouse.move(handle.x + 10, target.y + target.height * 0.7, { steps: 4 });
  await expect(page.locator('[data-drop]')).toHaveCount(1);
  await page.mouse.up();
}

test('a card dragged with the mouse stays where it is dropped, also after a reload', {
  tag: '@full',
}, async ({ page }) => {
  await fill('mind', ['Um', 'Dois', 'Três', 'Quatro']);
  await open(page, '/admin/mind');
  await drag(page, 'Um', 'Três');
  await expect(page.getByText('Ordem salva.')).toBeVisible();
  await expect(titles(page)).toHaveText(['Dois', 'Três', 'Um', 'Quatro']);
  await expect(page.getByRole('button', { name: 'Soltar Um aqui' })).toHaveCount(0);
  await page.reload();
  await expect(titles(page)).toHaveText(['Dois', 'Três', 'Um', 'Quatro']);
  // The page must base the next move on the version of the list that the previous move has saved.
  await drag(page, 'Dois', 'Quatro');
  await expect(titles(page)).toHaveText(['Três', 'Um', 'Quatro', 'Dois']);
  await expect.poll(() => savedTitles('mind')).toEqual(['Três', 'Um', 'Quatro', 'Dois']);
});

test('with the keyboard a card is grabbed, moved and dropped, and every step is announced', async ({
  page,
}) => {
  await fill('mind', ['Um', 'Dois', 'Três']);
  await open(page, '/admin/mind');
  const said = page.locator('[aria-live="assertive"]');
  await page.getByRole('button', { name: 'Mover Um' }).focus();
  await page.keyboard.press('Enter');
  await expect(said).toHaveText('Um: posição 1 de 3. Setas movem, Enter solta, Esc cancela.');
  await page.keyboard.press('ArrowDown');
  await expect(said).toHaveText('posição 2 de 3');
  await page.keyboard.press('End');
  await expect(said).toHaveText('posição 3 de 3');
  await expect(page.getByRole('button', { name: 'Soltar Um aqui' })).toBeFocused();
  await expect(titles(page)).toHaveText(['Dois', 'Três', 'Um']);
  expect(await savedTitles('mind')).toEqual(['Um', 'Dois', 'Três']);
  await page.keyboard.press('Enter');
  await expect(said).toHaveText('Um ficou na posição 3 de 3.');
  await expect(page.getByRole('button', { name: 'Mover Um' })).toBeFocused();
  await expect.poll(() => savedTitles('mind')).toEqual(['Dois', 'Três', 'Um']);

  await page.keyboard.press('Space');
  await page.keyboard.press('Home');
  await expect(titles(page)).toHaveText(['Um', 'Dois', 'Três']);
  await page.keyboard.press('Escape');
  await expect(titles(page)).toHaveText(['Dois', 'Três', 'Um']);
  await expect(page.getByRole('button', { name: 'Mover Um' })).toBeFocused();
  expect(await savedTitles('mind')).toEqual(['Dois', 'Três', 'Um']);
});

test('without dragging, buttons move a card one place up or down', { tag: '@full' }, async ({ page }) => {
  await fill('mind', ['Um', 'Dois', 'Três']);
  await open(page, '/admin/mind');
  await page.getByRole('button', { name: 'Mover Três' }).click();
  await page.getByRole('button', { name: 'Mover Três para cima' }).click();
  await page.getByRole('button', { name: 'Mover Três para cima' }).click();
  await expect(page.getByRole('button', { name: 'Mover Três para cima' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await page.getByRole('button', { name: 'Soltar Três aqui' }).click();
  await expect.poll(() => savedTitles('mind')).toEqual(['Três', 'Um', 'Dois']);
});

test('an order based on an old list is refused, and the page shows the current list', {
  tag: '@full',
}, async ({ page }) => {
  await fill('mind', ['Um', 'Dois', 'Três']);
  await open(page, '/admin/mind');
  await create('mind', 'De outra pessoa');
  await drag(page, 'Um', 'Dois');
  await expect(page.getByText('Alguém mudou esta lista antes de você')).toBeVisible();
  await expect(titles(page)).toHaveText(['Um', 'Dois', 'Três', 'De outra pessoa']);
  await drag(page, 'Um', 'Dois');
  await expect.poll(() => savedTitles('mind')).toEqual(['Dois', 'Um', 'Três', 'De outra pessoa']);
});

test('after the admin’s own deletions a new order can still be saved', { tag: '@full' }, async ({ page }) => {
  await fill('mind', ['Um', 'Dois', 'Três']);
  await open(page, '/admin/mind');
  await page.getByRole('button', { name: 'Deletar Dois' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Deletar' }).click();
  await expect(titles(page)).toHaveText(['Um', 'Três']);
  await drag(page, 'Um', 'Três');
  await expect(titles(page)).toHaveText(['Três', 'Um']);
  await expect.poll(() => savedTitles('mind')).toEqual(['Três', 'Um']);
});

test('while a search is active, no card can be moved', { tag: '@full' }, async ({ page }) => {
  await fill('mind', ['Um', 'Dois']);
  await open(page, '/admin/mind');
  await expect(page.getByRole('button', { name: /^Mover/ })).toHaveCount(2);
  await page.getByRole('searchbox').fill('um');
  await expect(page.getByRole('button', { name: /^Mover/ })).toHaveCount(0);
});

test('the values are in groups with headings, and move inside their group', { tag: '@full' }, async ({
  page,
}) => {
  for (const [axis, title] of [
    ['fun', 'Jogar'],
    ['family', 'Ligar'],
    ['fun', 'Dançar'],
    ['values', 'Escrever'],
    ['career', 'Estudar'],
  ] as const)
    await create(axis, title);
  await open(page, '/admin/values');
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'Values · Valores 1',
    'Família 1',
    'Carreira 1',
    'Lazer 2',
  ]);
  await expect(titles(page)).toHaveText(['Escrever', 'Ligar', 'Estudar', 'Jogar', 'Dançar']);
  await expect(page.getByRole('region', { name: 'Lazer' }).getByRole('listitem')).toHaveCount(2);
  await drag(page, 'Jogar', 'Dançar');
  await expect(titles(page)).toHaveText(['Escrever', 'Ligar', 'Estudar', 'Dançar', 'Jogar']);
  await expect.poll(() => savedTitles('values')).toEqual(['Ligar', 'Dançar', 'Jogar', 'Escrever', 'Estudar']);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 1000 }, hasTouch: true });

  test('touching the handle drags the card, and the page does not scroll', { tag: '@full' }, async ({
    page,
  }) => {
    await fill('move', ['Um', 'Dois', 'Três']);
    await open(page, '/admin/move');
    const handle = await page.getByRole('button', { name: 'Mover Um' }).boundingBox();
    const target = await page.getByRole('article').filter({ hasText: 'Dois' }).boundingBox();
    if (!handle || !target) throw new Error('Nothing to drag.');
    const finger = await page.context().newCDPSession(page);
    const x = handle.x + handle.width / 2;
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
      finger.send('Input.dispatchTouchEvent', { type, touchPoints: y === undefined ? [] : [{ x, y }] });
    await touch('touchStart', handle.y + handle.height / 2);
    for (const part of [0.2, 0.4, 0.6, 0.8]) await touch('touchMove', target.y + target.height * part);
    await expect(page.locator('[data-drop="before"]')).toContainText('Três');
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await touch('touchEnd');
    await expect(titles(page)).toHaveText(['Dois', 'Um', 'Três']);
    await expect.poll(() => savedTitles('move')).toEqual(['Dois', 'Um', 'Três']);
  });
});
