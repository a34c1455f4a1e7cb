import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { audioOf, chooserOf, uploadField } from './files.ts';
import { expect, scriptStarted, signIn, siteWithUsers, test } from './journey.ts';
import { fillLibrary } from './site.ts';

const { site, users } = siteWithUsers();

test.beforeAll(() => fillLibrary(users.admin));

test.beforeEach(({ page }) => page.emulateMedia({ forcedColors: 'active' }));

type Property =
  | 'backgroundColor'
  | 'color'
  | 'borderTopColor'
  | 'borderBottomColor'
  | 'borderTopStyle'
  | 'fill';

const styleOf = (locator: Locator, property: Property) =>
  locator.evaluate((element, name) => getComputedStyle(element)[name], property);

/** The value of a system colour in this browser. */
const systemColor = (page: Page, name: string) =>
  page.evaluate((color) => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.cssText = `forced-color-adjust: none; color: ${color}`;
    const found = getComputedStyle(probe).color;
    probe.remove();
    return found;
  }, name);

/** True if a screenshot shows the selection colour. Scripts cannot read the styles inside a control. */
async function showsHighlight(locator: Locator): Promise<boolean> {
  const [red = 0, green = 0, blue = 0, alpha = 1] =
    (await systemColor(locator.page(), 'Highlight')).match(/[\d.]+/g)?.map(Number) ?? [];
  const wanted = [red, green, blue].map((part) => part * alpha + 255 * (1 - alpha));
  const pixels = await sharp(await locator.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer();
  for (let at = 0; at < pixels.length; at += 3)
    if (wanted.every((part, index) => Math.abs(part - (pixels[at + index] ?? 0)) < 3)) return true;
  return false;
}

/** Checks that only the chosen element has the system colours of a selection. */
async function expectHighlighted(page: Page, chosen: Locator, others: Locator) {
  const [highlight, text] = [await systemColor(page, 'Highlight'), await systemColor(page, 'HighlightText')];
  await expect(chosen).toHaveCount(1);
  await expect.poll(() => styleOf(chosen, 'backgroundColor')).toBe(highlight);
  expect(await styleOf(chosen, 'color')).toBe(text);
  // With any value but `none`, the browser draws a backplate behind the text, which makes it unreadable.
  expect(await chosen.evaluate((element) => getComputedStyle(element).forcedColorAdjust)).toBe('none');
  for (const other of await others.all()) expect(await styleOf(other, 'backgroundColor')).not.toBe(highlight);
}

test('in forced colours the top bar and the filter show the current page and choice', async ({ page }) => {
  await page.goto(`${site.url}/practices?eixo=move`);
  await scriptStarted(page);
  const bar = page.getByRole('navigation', { name: 'Principal' });
  await expectHighlighted(
    page,
    bar.locator('[aria-current] span'),
    bar.locator('a:not([aria-current]) span'),
  );
  const canvas = await systemColor(page, 'Canvas');
  for (const other of await bar.locator('a:not([aria-current]) span').all())
    expect(await styleOf(other, 'borderBottomColor')).toBe(canvas);
  const filter = page.getByRole('navigation', { name: 'Tipos de prática' });
  await expectHighlighted(page, filter.locator('[aria-current]'), filter.locator('a:not([aria-current])'));

  await page.setViewportSize({ width: 360, height: 800 });
  await page.getByRole('banner').locator('summary').click();
  const sheet = page.getByRole('navigation', { name: 'Principal' });
  await expectHighlighted(
    page,
    sheet.locator('[aria-current] span'),
    sheet.locator('a:not([aria-current]) span'),
  );
});

test('in forced colours the hexaflex shows the chosen process', async ({ page }) => {
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${site.url}/about`);
    await scriptStarted(page);
    await page.getByRole('tab').nth(2).click();
    const tabs = page.getByRole('tablist');
    const highlight = await systemColor(page, 'Highlight');
    expect(await styleOf(tabs.locator('[aria-selected="true"]'), 'color')).toBe(
      await systemColor(page, 'HighlightText'),
    );
    expect(await styleOf(page.locator('.processes-selected'), 'fill')).toBe(highlight);
    for (const petal of await page.locator('.processes-petal:not(.processes-selected)').all())
      expect(await styleOf(petal, 'fill')).not.toBe(highlight);
  }
});

test('in forced colours the administration shows the current page, the chosen axis and the lifted card', async ({
  page,
}) => {
  await signIn(page, site.url, users.admin);
  await page.goto(`${site.url}/admin/newact?axis=move`);
  const side = page.getByRole('navigation', { name: 'Administração' });
  await expectHighlighted(page, side.locator('[aria-current]'), side.locator('a:not([aria-current])'));
  const choice = page.getByRole('group', { name: 'Eixo' });
  await page.getByRole('radio', { name: 'Nutri' }).check({ force: true });
  await expectHighlighted(page, choice.locator('input:checked'), choice.locator('input:not(:checked)'));
  const words = choice.locator('input:checked ~ span');
  expect(await styleOf(words, 'color')).toBe(await systemColor(page, 'HighlightText'));
  expect(await words.evaluate((element) => getComputedStyle(element).forcedColorAdjust)).toBe('none');

  await page.goto(`${site.url}/admin/mind`);
  const handle = page.getByRole('button', { name: /^Mover/ }).first();
  await handle.focus();
  await page.keyboard.press('Space');
  await expectHighlighted(
    page,
    page.locator('[aria-pressed="true"]'),
    page.locator('[aria-pressed="false"]'),
  );
  await page.keyboard.press('Escape');

  await page.setViewportSize({ width: 700, height: 800 });
  await page.getByRole('button', { name: /^Menu da administração/ }).click();
  const drawer = page.getByRole('dialog', { name: 'Menu da administração' });
  await expectHighlighted(page, drawer.locator('[aria-current]'), drawer.locator('a:not([aria-current])'));
  expect(await styleOf(drawer, 'borderTopStyle')).toBe('solid');
});

test('in forced colours progress bars, players and dialogs have a border and a fill', async ({ page }) => {
  await signIn(page, site.url, users.admin);
  // The first chunk arrives; the next never gets a response.
  let pieces = 0;
  await page.route('**/api/storage/resumable/*', async (route) => {
    pieces += Number(route.request().method() === 'PATCH');
    if (pieces < 2) await route.continue();
  });
  await page.goto(`${site.url}/admin/newact?axis=mind`);
  await chooserOf(page, 'Áudio').setInputFiles(audioOf(600_000));
  const progress = uploadField(page, 'Áudio').getByRole('progressbar');
  await expect(progress).toBeVisible();
  expect(await styleOf(progress, 'borderTopStyle')).toBe('solid');
  await expect(uploadField(page, 'Áudio')).toContainText('43%');
  await expect.poll(() => showsHighlight(progress)).toBe(true);

  await page.goto(site.url);
  await scriptStarted(page);
  const player = page.getByRole('group', { name: /^Áudio/ }).first();
  await page.locator('audio').scrollIntoViewIfNeeded();
  await expect(player).toBeVisible();
  expect(await styleOf(player.getByRole('button'), 'borderTopStyle')).toBe('solid');
  await expect.poll(() => showsHighlight(player.getByRole('slider'))).toBe(true);

  await page.goto(`${site.url}/practices`);
  await scriptStarted(page);
  await page.getByRole('button', { name: 'Ver as seis dicas' }).click();
  expect(await styleOf(page.getByRole('dialog'), 'borderTopStyle')).toBe('solid');
});

test('in forced colours the editor of the site shows the chosen width, and each part has a border', async ({
  page,
}) => {
  await signIn(page, site.url, users.admin);
  await page.goto(`${site.url}/admin/site/home`);
  const widths = page.getByRole('group', { name: 'Largura da prévia' });
  const highlight = await systemColor(page, 'Highlight');
  for (const name of ['Computador', 'Celular']) {
    await widths.getByRole('button', { name }).click();
    expect(await styleOf(widths.locator('[aria-pressed="true"]'), 'borderTopColor')).toBe(highlight);
    expect(await styleOf(widths.locator('[aria-pressed="false"]'), 'borderTopColor')).not.toBe(highlight);
  }
  expect(await styleOf(page.locator('main form details').first(), 'borderTopStyle')).toBe('solid');

  await page.setViewportSize({ width: 360, height: 800 });
  const views = page.getByRole('group', { name: 'Mostrar' });
  await views.getByRole('button', { name: 'Ver como ficará' }).click();
  expect(await styleOf(views.locator('[aria-pressed="true"]'), 'borderTopColor')).toBe(highlight);
  expect(await styleOf(views.locator('[aria-pressed="false"]'), 'borderTopColor')).not.toBe(highlight);
});

test('in forced colours the preview of a practice shows the chosen size', async ({ page }) => {
  await signIn(page, site.url, users.admin);
  await page.goto(`${site.url}/admin/newact?axis=mind`);
  await page.getByLabel('Título').fill('Piscar');
  await page.getByLabel('Conteúdo').fill('Duas vezes.');
  await page.getByRole('button', { name: 'Ver como paciente' }).click();
  const sizes = page.getByRole('group', { name: 'Tamanho da tela' });
  await sizes.getByRole('button', { name: 'Computador' }).click();
  await expectHighlighted(
    page,
    sizes.getByRole('button', { pressed: true }),
    sizes.getByRole('button', { pressed: false }),
  );
});
