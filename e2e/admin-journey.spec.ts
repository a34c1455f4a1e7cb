import type { Locator, Page } from '@playwright/test';
import { contentField, linkField, titleField } from './activity-form.ts';
import { expect, signIn, siteWithUsers, test } from './journey.ts';

test.describe.configure({ timeout: 120_000 });

const { site, users } = siteWithUsers();

const content = 'Abra a janela.\n\n- note o ar\n- note os sons\n\nMais em https://www.gov.br/saude/pt-br.';

test.beforeEach(async ({ page }) => {
  const { documents } = users.admin.client;
  for (const list of ['mindActsList', 'valuesActsList'] as const) {
    const { tag } = await documents.getActivities(list);
    await documents.replaceActivities(list, [], tag);
  }
  await documents.createActivity({
    ...{ axis: 'mind', title: 'A de antes' },
    ...{ url: 'https://www.gov.br/saude/pt-br', content: 'Já estava.' },
  });
  await signIn(page, site.url, users.admin);
});

const saved = async (list: 'mindActsList' | 'valuesActsList') =>
  (await users.admin.client.documents.getActivities(list)).activities.map(({ title }) => title);

/** Presses Tab until `target` has the focus. */
async function tabTo(page: Page, target: Locator) {
  await expect(target).toBeVisible();
  for (let presses = 0; presses < 80; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${target}.`);
}

async function press(page: Page, target: Locator, key = 'Enter') {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

async function type(page: Page, target: Locator, text: string) {
  await tabTo(page, target);
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
}

test('with the keyboard alone an admin creates, reads, edits, orders, deletes and restores', {
  tag: '@full',
}, async ({ page }) => {
  await page.goto(`${site.url}/admin`);
  await press(page, page.getByRole('link', { name: /^Mind · Mente 1/ }));
  await expect(page.getByRole('article')).toHaveCount(1);
  await page.keyboard.press('n');
  await expect(page.getByRole('heading', { name: 'Nova Act' })).toBeVisible();
  await type(page, titleField(page), 'Respirar à janela');
  await type(page, linkField(page), 'https://youtu.be/aBcDeFgHiJ0');
  await type(page, contentField(page), content);
  await expect(page.getByLabel('Mind')).toBeChecked();
  await press(page, page.getByRole('button', { name: 'Criar prática' }));
  await expect(page.getByText('act created')).toBeVisible();

  await press(page, page.getByRole('button', { name: 'Respirar à janela', exact: true }));
  const reader = page.getByRole('dialog', { name: 'Respirar à janela' });
  await expect(reader.getByRole('listitem')).toHaveText(['note o ar', 'note os sons']);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Respirar à janela', exact: true })).toBeFocused();

  await press(page, page.getByRole('button', { name: 'Mover Respirar à janela' }));
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect.poll(() => saved('mindActsList')).toEqual(['Respirar à janela', 'A de antes']);

  await press(page, page.getByRole('link', { name: 'Editar Respirar à janela' }));
  await expect(page.getByRole('heading', { name: 'Editar prática' })).toBeVisible();
  await type(page, titleField(page), 'Respirar na varanda');
  await tabTo(page, page.getByLabel('Mind'));
  // Moves from the first axis to the fourth, "Família".
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('ArrowRight');
  await expect(page.getByLabel('Família')).toBeChecked();
  await press(page, page.getByRole('button', { name: 'Salvar', exact: true }));
  await expect(page.getByText('post updated')).toBeVisible();
  await expect(page).toHaveURL(`${site.url}/admin/values`);
  expect(await saved('valuesActsList')).toEqual(['Respirar na varanda']);

  await page.keyboard.press('/');
  await page.keyboard.insertText('VARANDA');
  await expect(page.getByRole('article')).toHaveCount(1);
  await press(page, page.getByRole('button', { name: 'Deletar Respirar na varanda' }));
  await press(page, page.getByRole('dialog').getByRole('button', { name: 'Deletar' }));
  await expect(page.getByText('Respirar na varanda deleted')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Desfazer' })).toBeFocused();
  expect(await saved('valuesActsList')).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('article')).toContainText('Respirar na varanda');
  await expect.poll(() => saved('valuesActsList')).toEqual(['Respirar na varanda']);
});

test.describe('on a phone of 360 px', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true });

  test('an admin creates, reads, edits, orders, deletes and restores by touch, and no element is wider than the window', {
    tag: '@full',
  }, async ({ page }) => {
    const fits = async () => {
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width, page.url()).toBe(360);
    };
    await page.goto(`${site.url}/admin`);
    await expect(page.getByRole('link', { name: /^Mind · Mente 1/ })).toBeVisible();
    await fits();
    await page.getByRole('button', { name: /^Menu da administração/ }).tap();
    await page.getByRole('dialog').getByRole('link', { name: 'Nova Act' }).tap();
    await titleField(page).fill('Respirar à janela');
    await linkField(page).fill('https://youtu.be/aBcDeFgHiJ0');
    await contentField(page).fill(content);
    await page.getByRole('radio', { name: 'Mind · Mente' }).tap();
    await fits();
    await page.getByRole('button', { name: 'Criar prática' }).tap();
    await expect(page.getByText('act created')).toBeVisible();
    await fits();

    await page.getByRole('button', { name: 'Respirar à janela', exact: true }).tap();
    await expect(page.getByRole('dialog')).toContainText('note os sons');
    await fits();
    await page.getByRole('dialog').getByRole('button', { name: 'Fechar' }).last().tap();

    await page.getByRole('button', { name: 'Mover Respirar à janela' }).tap();
    await page.getByRole('button', { name: 'Mover Respirar à janela para cima' }).tap();
    await fits();
    await page.getByRole('button', { name: 'Soltar Respirar à janela aqui' }).tap();
    await expect.poll(() => saved('mindActsList')).toEqual(['Respirar à janela', 'A de antes']);

    await page.getByRole('link', { name: 'Editar Respirar à janela' }).tap();
    await expect(titleField(page)).toHaveValue('Respirar à janela');
    await page.getByRole('radio', { name: 'Lazer' }).tap();
    await page.getByRole('button', { name: 'Salvar', exact: true }).tap();
    await expect(page).toHaveURL(`${site.url}/admin/values`);
    expect(await saved('valuesActsList')).toEqual(['Respirar à janela']);

    await page.getByRole('button', { name: 'Deletar Respirar à janela' }).tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Deletar' }).tap();
    await expect(page.getByText('Nenhuma prática ainda.')).toBeVisible();
    await fits();
    await page.getByRole('button', { name: 'Desfazer' }).tap();
    await expect(page.getByRole('article')).toContainText('Respirar à janela');
  });
});
