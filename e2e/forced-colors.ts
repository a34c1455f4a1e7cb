import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { findPractice, type Stage, type State } from './accessible.ts';
import { audioOf, chooserOf, holdSecondPiece, uploadField } from './files.ts';
import { expect } from './journey.ts';

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

/** Checks that one of the pressed buttons of `group` has the border of a selection. */
async function expectPressedBorder(page: Page, group: Locator) {
  const highlight = await systemColor(page, 'Highlight');
  expect(await styleOf(group.locator('[aria-pressed="true"]'), 'borderTopColor')).toBe(highlight);
  expect(await styleOf(group.locator('[aria-pressed="false"]'), 'borderTopColor')).not.toBe(highlight);
}

async function expectMenuAndFilter({ page }: Stage) {
  const bar = page.getByRole('navigation', { name: 'Principal' });
  const [current, others] = [bar.locator('[aria-current] span'), bar.locator('a:not([aria-current]) span')];
  await expectHighlighted(page, current, others);
  const canvas = await systemColor(page, 'Canvas');
  for (const other of await others.all()) expect(await styleOf(other, 'borderBottomColor')).toBe(canvas);
  const filter = page.getByRole('navigation', { name: 'Para que você precisa' });
  await expectHighlighted(page, filter.locator('[aria-current]'), filter.locator('a:not([aria-current])'));
  await page.setViewportSize({ width: 360, height: 800 });
  await page.getByRole('banner').locator('summary').click();
  await expectHighlighted(page, current, others);
}

async function expectChosenProcess({ page }: Stage) {
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 900 });
    await page.getByRole('tab').nth(2).click();
    const chosen = page.getByRole('tablist').locator('[aria-selected="true"]');
    const highlight = await systemColor(page, 'Highlight');
    expect(await styleOf(chosen, 'color')).toBe(await systemColor(page, 'HighlightText'));
    expect(await styleOf(page.locator('.processes-selected'), 'fill')).toBe(highlight);
    for (const petal of await page.locator('.processes-petal:not(.processes-selected)').all())
      expect(await styleOf(petal, 'fill')).not.toBe(highlight);
  }
}

async function expectPlayer({ page }: Stage) {
  const player = page.getByRole('group', { name: /^Áudio/ }).first();
  await page.locator('audio').scrollIntoViewIfNeeded();
  await expect(player).toBeVisible();
  expect(await styleOf(player.getByRole('button'), 'borderTopStyle')).toBe('solid');
  await expect.poll(() => showsHighlight(player.getByRole('slider'))).toBe(true);
}

async function expectFavourite({ page }: Stage) {
  const button = page.getByRole('button', { name: /^Guarda(r|da): / }).first();
  const fillOf = () => styleOf(button.locator('> :first-child'), 'fill');
  await expect(button).toBeVisible();
  expect(await fillOf()).toBe('none');
  await button.click();
  await expect.poll(fillOf).not.toBe('none');
}

async function expectPageAndAxis({ page }: Stage) {
  const side = page.getByRole('navigation', { name: 'Administração' });
  await expectHighlighted(page, side.locator('[aria-current]'), side.locator('a:not([aria-current])'));
  const choice = page.getByRole('group', { name: 'Eixo' });
  await page.getByRole('radio', { name: 'Nutri' }).check({ force: true });
  await expectHighlighted(page, choice.locator('input:checked'), choice.locator('input:not(:checked)'));
  const words = choice.locator('input:checked ~ span');
  expect(await styleOf(words, 'color')).toBe(await systemColor(page, 'HighlightText'));
  expect(await words.evaluate((element) => getComputedStyle(element).forcedColorAdjust)).toBe('none');
}

async function expectLiftedCardAndDrawer({ page }: Stage) {
  await page
    .getByRole('button', { name: /^Mover/ })
    .first()
    .focus();
  await page.keyboard.press('Space');
  const cards = (isPressed: boolean) => page.locator(`[aria-pressed="${isPressed}"]`);
  await expectHighlighted(page, cards(true), cards(false));
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 700, height: 800 });
  await page.getByRole('button', { name: /^Menu da administração/ }).click();
  const drawer = page.getByRole('dialog', { name: 'Menu da administração' });
  await expectHighlighted(page, drawer.locator('[aria-current]'), drawer.locator('a:not([aria-current])'));
  expect(await styleOf(drawer, 'borderTopStyle')).toBe('solid');
}

async function expectProgressBar({ page }: Stage) {
  await holdSecondPiece(page);
  await chooserOf(page, 'Áudio').setInputFiles(audioOf(600_000));
  const progress = uploadField(page, 'Áudio').getByRole('progressbar');
  await expect(progress).toBeVisible();
  expect(await styleOf(progress, 'borderTopStyle')).toBe('solid');
  await expect(uploadField(page, 'Áudio')).toContainText('43%');
  await expect.poll(() => showsHighlight(progress)).toBe(true);
}

async function expectEditorOfSite({ page }: Stage) {
  const widths = page.getByRole('group', { name: 'Largura da prévia' });
  for (const name of ['Computador', 'Celular']) {
    await widths.getByRole('button', { name }).click();
    await expectPressedBorder(page, widths);
  }
  expect(await styleOf(page.locator('main form details').first(), 'borderTopStyle')).toBe('solid');
  await page.setViewportSize({ width: 360, height: 800 });
  const views = page.getByRole('group', { name: 'Mostrar' });
  await views.getByRole('button', { name: 'Ver como ficará' }).click();
  await expectPressedBorder(page, views);
}

async function expectSizeOfPreview({ page }: Stage) {
  await page.getByRole('button', { name: 'Ver como paciente' }).click();
  const sizes = page.getByRole('group', { name: 'Tamanho da tela' });
  await sizes.getByRole('button', { name: 'Computador' }).click();
  const buttons = (pressed: boolean) => sizes.getByRole('button', { pressed });
  await expectHighlighted(page, buttons(true), buttons(false));
}

const editFormOf = (title: string) => async (stage: Stage) =>
  `/admin/editact?axis=mind&id=${(await findPractice(stage, title)).id}`;

/** Pages whose choices and borders must be seen in forced colours. `prepare` checks this. */
export const forcedColorStates: State[] = [
  {
    name: 'the current page and the filter',
    path: '/practices?necessidade=sono',
    prepare: expectMenuAndFilter,
  },
  { name: 'the chosen process', path: '/about', prepare: expectChosenProcess },
  { name: 'the player', path: '/', prepare: expectPlayer },
  {
    name: 'a dialog',
    path: '/practices',
    async prepare({ page }) {
      await page.getByRole('button', { name: 'Ver as seis dicas' }).click();
      expect(await styleOf(page.getByRole('dialog'), 'borderTopStyle')).toBe('solid');
    },
  },
  { name: 'a favourite', path: '/practices', role: 'patient', prepare: expectFavourite },
  ...(
    [
      ['the current page and the axis', '/admin/newact?axis=move', expectPageAndAxis],
      ['the lifted card and the drawer', '/admin/mind', expectLiftedCardAndDrawer],
      ['the progress of an upload', editFormOf('Folhas no riacho'), expectProgressBar],
      ['the editor of the site', '/admin/site/home', expectEditorOfSite],
      ['the preview of a practice', editFormOf('Percorrer o corpo'), expectSizeOfPreview],
    ] as const
  ).map(([name, path, prepare]): State => ({ name, path, role: 'admin', prepare })),
];
