import type { Page } from '@playwright/test';
import { expect, scriptStarted, siteWithUsers, test } from './journey.ts';
import { printedPages } from './printed-pages.ts';
import { fillLibrary } from './site.ts';

test.describe.configure({ timeout: 120_000 });

const { site, users } = siteWithUsers();

test.beforeAll(() => fillLibrary(users.admin));

async function open(page: Page, path = '/practices') {
  await page.goto(site.url + path);
  await scriptStarted(page);
}

test('an opened practice prints alone, unfolded, on one page, with the name of the clinic and dark words', async ({
  page,
}) => {
  await open(page);
  const card = page.getByRole('article', { name: 'Percorrer o corpo' });
  await card.getByText('Ler a prática').click();
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(page.getByRole('banner').getByRole('link', { name: /página inicial/ })).toBeVisible();
  await expect(card.getByRole('heading', { name: 'Percorrer o corpo' })).toBeVisible();
  const last = card.getByText('Termine notando o corpo inteiro de uma vez, do jeito que ele está.');
  await expect(last).toBeVisible();
  for (const hidden of ['article', 'contentinfo', 'navigation', 'button'] as const)
    await expect(page.getByRole(hidden).filter({ visible: true })).toHaveCount(hidden === 'article' ? 1 : 0);
  await expect(page.getByRole('heading', { name: 'Práticas', exact: true })).toBeHidden();
  const brightness = await last.evaluate((text) =>
    Math.max(...(getComputedStyle(text).color.match(/\d+/g) ?? []).slice(0, 3).map(Number)),
  );
  expect(brightness).toBeLessThan(64);
  expect(await printedPages(page)).toBe(1);
});

test('with no practice opened, all print with their whole texts', async ({ page }) => {
  await open(page);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText('Termine notando o corpo inteiro de uma vez')).toBeVisible();
  expect(await printedPages(page)).toBeGreaterThan(1);
});

test('below a video that plays, a link leads to YouTube in case it does not open', async ({
  page,
  watch,
}) => {
  await open(page);
  const card = page.getByRole('article').first();
  await expect(card.getByText('Não abriu?')).toHaveCount(0);
  await card.getByRole('button', { name: /^Assistir/ }).click();
  const frame = card.locator('iframe');
  const link = card.getByRole('link', { name: /^Veja no YouTube/ });
  await expect(card.getByText('Não abriu? Veja no YouTube')).toBeVisible();
  await expect(link).toHaveAttribute('href', /^https:\/\/www\.youtube\.com\/watch\?v=/);
  const [{ y: frameTop, height }, { y: linkTop }] = (await Promise.all(
    [frame, link].map(async (part) => (await part.boundingBox()) ?? { y: 0, height: 0 }),
  )) as [{ y: number; height: number }, { y: number; height: number }];
  expect(linkTop).toBeGreaterThanOrEqual(frameTop + height);
  watch.foreign.length = 0;
});

test('each axis has its own introduction, also in its first response', async ({ page, request }) => {
  const leads = new Set<string>();
  for (const axis of ['mind', 'move', 'nutri', 'values']) {
    const path = axis === 'mind' ? '/practices' : `/practices?eixo=${axis}`;
    await open(page, path);
    const lead = (await page.locator('.lead').textContent()) ?? '';
    expect(await (await request.get(site.url + path)).text()).toContain(lead);
    leads.add(lead);
  }
  expect(leads.size).toBe(4);
});

test('no two generated pictures near each other have the same composition', async ({ page }) => {
  for (const path of [
    '/practices',
    '/practices?eixo=move',
    '/practices?eixo=nutri',
    '/practices?eixo=values',
  ]) {
    await open(page, path);
    const drawings = await page
      .locator('main svg[viewBox="0 0 320 180"]')
      .evaluateAll((all) => all.map((drawing) => drawing.querySelector('g')?.innerHTML));
    for (let place = 0; place < drawings.length; place += 1)
      expect(drawings.slice(Math.max(0, place - 6), place), `${path}, ${place}`).not.toContain(
        drawings[place],
      );
  }
});

test('the card with help in a crisis is no taller than its words, and its links say whom they call', async ({
  page,
}) => {
  for (const width of [360, 800, 1280, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    await open(page);
    const card = page.getByRole('complementary', { name: 'Se agora está pesado demais' });
    const gap = await card.evaluate((element) => {
      const boxes = [...element.querySelectorAll('h2, p, dt, dd')].map((part) =>
        part.getBoundingClientRect(),
      );
      const { top, bottom } = element.getBoundingClientRect();
      const edges = [top, bottom];
      for (const box of boxes) edges.push(box.top, box.bottom);
      edges.sort((a, b) => a - b);
      // The height of the tallest empty space in the card.
      return Math.max(
        ...edges.slice(1).map((edge, place) => {
          const middle = (edge + (edges[place] ?? edge)) / 2;
          const covered = boxes.some((box) => box.top < middle && box.bottom > middle);
          return covered ? 0 : edge - (edges[place] ?? edge);
        }),
      );
    });
    expect(gap, `${width} px`).toBeLessThan(100);
    await expect(card.getByRole('link', { name: 'Ligar para o CVV, 188' })).toHaveAttribute(
      'href',
      'tel:188',
    );
    await expect(card.getByRole('link', { name: 'Ligar para o SAMU, 192' })).toHaveAttribute(
      'href',
      'tel:192',
    );
  }
});

test('a link of a practice is named by its host', async ({ page }) => {
  await open(page);
  const card = page.getByRole('article', { name: 'Quem está notando?' });
  await expect(card.getByRole('link', { name: /^Abrir em gov\.br ?: Quem está notando\?/ })).toBeVisible();
});

test('the three kinds of behaviour on the page about the approach are explained', async ({ page }) => {
  await page.goto(`${site.url}/about`);
  await expect(page.getByText(/comportamento clinicamente relevante, ou CCR/)).toBeVisible();
  for (const term of ['CCR1: a dificuldade', 'CCR2: a melhora', 'CCR3: a sua leitura'])
    await expect(page.getByRole('term').filter({ hasText: term })).toBeVisible();
});

test('the privacy notice names its date and the agency', async ({ page }) => {
  await page.goto(`${site.url}/privacidade`);
  await expect(page.getByText(/^Última mudança: \d{1,2} de \p{L}+ de \d{4}\.$/u)).toBeVisible();
  await expect(page.getByText('Agência Nacional de Proteção de Dados (ANPD)')).toBeVisible();
});
