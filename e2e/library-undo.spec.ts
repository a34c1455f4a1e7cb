import type { Page } from '@playwright/test';
import { expect, signIn, signInAnew, siteWithUsers, test } from './journey.ts';
import { signInLink } from './top-bar.ts';

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

test('the notice disappears at the sign-out', { tag: '@full' }, async ({ page }) => {
  await signInAnew(page, site.url, users.admin);
  await page.goto(`${site.url}/admin/nutri`);
  await deleteByMouse(page, 'Feijão');
  await page.locator('summary').filter({ hasText: 'Sua conta' }).click();
  await page.getByRole('link', { name: 'Sair' }).click();
  await expect(signInLink(page)).toBeVisible();
  await expect(page.getByText('Feijão')).toHaveCount(0, { timeout: 1_000 });
});

test('with the keyboard the focus moves to the notice, which then stays', { tag: '@full' }, async ({
  page,
}) => {
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

test('Ctrl+Z undoes one deletion after another', { tag: '@full' }, async ({ page }) => {
  const before = await saved();
  await deleteByMouse(page, 'Feijão');
  await deleteByMouse(page, 'Couve');
  await page.keyboard.press('Control+z');
  await expect(titles(page)).toHaveText(['Arroz', 'Couve']);
  await page.keyboard.press('Control+z');
  await expect(titles(page)).toHaveText(['Arroz', 'Feijão', 'Couve']);
  expect(await saved()).toEqual(before);
});

test('undo keeps concurrent changes of another admin', { tag: '@full' }, async ({ page }) => {
  await deleteByMouse(page, 'Feijão');
  await create('Abóbora');
  await page.getByRole('button', { name: 'Desfazer' }).click();
  await expect(titles(page)).toHaveText(['Arroz', 'Feijão', 'Couve', 'Abóbora']);
});

test('the undo notice stays on another page', { tag: '@full' }, async ({ page }) => {
  const before = await saved();
  await deleteByMouse(page, 'Feijão');
  await page.getByRole('link', { name: 'Início' }).first().click();
  await expect(page.getByRole('link', { name: /^Nutri · Alimentação 2/ })).toBeVisible();
  await page.getByRole('button', { name: 'Desfazer' }).click();
  await expect(page.getByRole('link', { name: /^Nutri · Alimentação 3/ })).toBeVisible();
  expect(await saved()).toEqual(before);
});

test('without a connection undo shows a message and a retry', { tag: '@full' }, async ({ page }) => {
  await deleteByMouse(page, 'Feijão');
  await page.route('**/restore', (route) => route.abort());
  await page.getByRole('button', { name: 'Desfazer' }).click();
  await expect(page.getByText('Sem conexão.')).toBeVisible();
  await page.unroute('**/restore');
  await page.getByRole('button', { name: 'Desfazer' }).click();
  await expect(titles(page)).toHaveText(['Arroz', 'Feijão', 'Couve']);
});

test('after the last card is deleted, the focus is on the heading', { tag: '@full' }, async ({ page }) => {
  for (const title of ['Arroz', 'Feijão', 'Couve']) await deleteByMouse(page, title);
  await expect(page.getByRole('heading', { name: 'Nutri' })).toBeFocused();
  await expect(page.getByText('Nenhuma prática ainda.')).toBeVisible();
});

for (const width of [360, 1280])
  test(`at ${width} px the last button of the list can be pressed while a notice is open`, {
    tag: '@full',
  }, async ({ page }) => {
    for (let count = 0; count < 8; count += 1) await create(`Prato ${count}`);
    await page.setViewportSize({ width, height: 740 });
    await page.reload();
    await deleteByMouse(page, 'Feijão');
    const last = page.getByRole('button', { name: 'Deletar Prato 7' });
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    const free = () =>
      last.evaluate((button) => {
        const { left, top, width, height } = button.getBoundingClientRect();
        return button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
      });
    await expect.poll(free).toBe(true);
    await expect(page.getByText('Feijão deleted')).toBeVisible();
  });

for (const { width, height } of [
  { width: 1280, height: 900 },
  { width: 360, height: 740 },
])
  test(`at ${width} px a notice stands where it covers no control`, { tag: '@full' }, async ({
    page,
    context,
  }) => {
    const expectFree = async (text: string) => {
      const notice = page.getByText(text);
      await expect(notice).toBeVisible();
      await expect.poll(() => notice.evaluate(controlsBehind)).toEqual([]);
    };
    await page.setViewportSize({ width, height });
    await page.goto(`${site.url}/account`);
    await page.getByRole('button', { name: 'Salvar o nome' }).click();
    await expectFree('Nome salvo.');
    await context.clearCookies();
    await page.goto(`${site.url}/admin`);
    await expectFree('Entre para abrir a administração.');
  });

/** The names of the controls that a notice covers. */
function controlsBehind(text: Element): string[] {
  const notice = text.parentElement?.getBoundingClientRect();
  const all = document.querySelectorAll(
    'main :is(a, button, input, summary), header :is(a, button, summary)',
  );
  return [...all].flatMap((control) => {
    const { left, right, top, bottom, width } = control.getBoundingClientRect();
    const visible = control.checkVisibility({ visibilityProperty: true }) && width > 1;
    const covered =
      notice && left < notice.right && right > notice.left && top < notice.bottom && bottom > notice.top;
    return visible && covered ? [control.textContent ?? ''] : [];
  });
}
