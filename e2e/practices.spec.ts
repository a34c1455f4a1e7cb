import type { Page } from '@playwright/test';
import { activity as activitySchema } from '#contract/activity.ts';
import { chooseFilter, expect, scriptStarted, siteWithUsers, test } from './journey.ts';
import { fillLibrary } from './site.ts';

test.describe.configure({ timeout: 120_000 });

const { site, users } = siteWithUsers();

test.beforeAll(() => fillLibrary(users.admin));

async function open(page: Page, path = '/practices') {
  await page.goto(site.url + path);
  await scriptStarted(page);
}

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

test('all practices and each axis have their own introduction, also in the first response', async ({
  page,
  request,
}) => {
  const leads = new Set<string>();
  for (const path of ['', '?eixo=mind', '?eixo=move', '?eixo=nutri', '?eixo=values'].map(
    (query) => `/practices${query}`,
  )) {
    await open(page, path);
    const lead = (await page.locator('.lead').textContent()) ?? '';
    expect(await (await request.get(site.url + path)).text()).toContain(lead);
    leads.add(lead);
  }
  expect(leads.size).toBe(5);
});

test('no two generated pictures near each other have the same composition', { tag: '@full' }, async ({
  page,
}) => {
  for (const path of [
    '/practices',
    '/practices?eixo=move',
    '/practices?eixo=nutri',
    '/practices?eixo=values',
  ]) {
    await open(page, path);
    // Pictures with the same composition have the same elements, with other numbers.
    const drawings = await page
      .locator('main svg[viewBox="0 0 320 180"]')
      .evaluateAll((all) =>
        all.map((drawing) => drawing.querySelector('g')?.innerHTML.replace(/[\d.-]+/g, '0')),
      );
    for (let place = 0; place < drawings.length; place += 1)
      expect(drawings.slice(Math.max(0, place - 6), place), `${path}, ${place}`).not.toContain(
        drawings[place],
      );
  }
});

test('the card with help in a crisis is no taller than its words, and its links say whom they call', {
  tag: '@full',
}, async ({ page }) => {
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

test('a long list has pages, and links lead from one to the next without a jump to the top', {
  tag: '@full',
}, async ({ page }) => {
  const { documents } = users.admin.client;
  const { tag } = await documents.getActivities('nutriActsList');
  const many = Array.from({ length: 70 }, (_, index) =>
    activitySchema.parse({
      ...{
        id: `fome-${index}`,
        createdAt: index,
        updatedAt: index,
        axis: 'nutri',
        title: `Fome ${index + 1}`,
      },
      ...{ url: 'https://youtu.be/aBcDeFgHiJ0', content: 'Note a fome. '.repeat(40) },
    }),
  );
  await documents.replaceActivities('nutriActsList', many, tag);
  const titles = page.getByRole('article').getByRole('heading', { level: 2 });
  await open(page, '/practices?eixo=nutri');
  await expect(titles).toHaveCount(60);
  await page.getByRole('link', { name: 'Mais práticas' }).press('Enter');
  await expect(page).toHaveURL(`${site.url}/practices?eixo=nutri&pagina=2#lista`);
  await expect(page.getByRole('region', { name: 'Práticas, página 2 de 2' })).toBeFocused();
  await expect(titles).toHaveText(Array.from({ length: 10 }, (_, index) => `Fome ${index + 61}`));
  await expect(page).toHaveTitle(/^Práticas: Alimentação, página 2 \|/);
  await expect(titles.first()).toBeInViewport();
  await chooseFilter(page, 'Ordem', 'Mais novas');
  await expect(page).toHaveURL(`${site.url}/practices?eixo=nutri&ordem=novas`);
  await expect(titles.first()).toHaveText('Fome 70');
  await page.getByRole('link', { name: 'Mais práticas' }).click();
  await page.getByRole('link', { name: 'Práticas anteriores' }).click();
  await expect(titles.first()).toHaveText('Fome 70');

  // Another admin shortens the list, so a page that a visitor asks for no longer exists.
  await documents.replaceActivities(
    'nutriActsList',
    many.slice(0, 3),
    (await documents.getActivities('nutriActsList')).tag,
  );
  await page.goBack();
  await expect(page).toHaveURL(/\/practices\?eixo=nutri&ordem=novas(#lista)?$/);
  await expect(titles).toHaveText(['Fome 3', 'Fome 2', 'Fome 1']);
});

test('a link of a practice is named by its host', { tag: '@full' }, async ({ page }) => {
  await open(page);
  const card = page.getByRole('article', { name: 'Quem está notando?' });
  await expect(card.getByRole('link', { name: /^Abrir em gov\.br ?: Quem está notando\?/ })).toBeVisible();
});

test('the page about the approach keeps terms of the literature closed', { tag: '@full' }, async ({
  page,
}) => {
  await page.goto(`${site.url}/about`);
  for (const term of ['CCR1', 'Evocar', 'Generalizar', 'Self como contexto'])
    await expect(page.getByText(term).first()).toBeHidden();
  for (const summary of await page.getByText('Para quem quer a teoria').all()) await summary.click();
  await expect(page.getByText(/comportamento clinicamente relevante, ou CCR/)).toBeVisible();
  await expect(page.getByText('Self como contexto')).toBeVisible();
  for (const term of ['CCR1: a dificuldade', 'CCR2: a melhora', 'CCR3: a sua leitura'])
    await expect(page.getByRole('term').filter({ hasText: term })).toBeVisible();
});

test('the privacy notice names its date and the agency', { tag: '@full' }, async ({ page }) => {
  await page.goto(`${site.url}/privacidade`);
  await expect(page.getByText(/^Última mudança: \d{1,2} de \p{L}+ de \d{4}\.$/u)).toBeVisible();
  await expect(page.getByText('Agência Nacional de Proteção de Dados (ANPD)')).toBeVisible();
});
