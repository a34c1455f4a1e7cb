import type { Page } from '@playwright/test';
import { paths } from '#contract/paths.ts';
import type { PracticeEvent } from '#contract/practices/totals.ts';
import { expect, scriptStarted, signIn, siteWithUsers, test } from './journey.ts';
import { currentMonth, type Totals, writeTotals } from './site.ts';
import { changeSection, publish, publishClinic } from './site-editor.ts';

test.describe.configure({ timeout: 120_000 });

const { site, users } = siteWithUsers();
const text = `Note o ar que entra. ${'Deixe que ele saia sem pressa. '.repeat(20)}`;

/** Creates a practice in the list of an axis. @returns its id */
async function create(title: string, fields: { url?: string; audio?: string } = {}) {
  const { documents } = users.admin.client;
  const url = 'https://www.gov.br/saude/pt-br';
  return (await documents.createActivity({ axis: 'mind', title, url, content: text, ...fields })).id;
}

/** Records the names of the events that the page sends. */
function recordEvents(page: Page) {
  const events: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname !== paths.documents.practiceEvents) return;
    events.push((request.postDataJSON() as PracticeEvent).event);
  });
  return events;
}

const cardOf = (page: Page, name: string) => page.getByRole('article', { name });
const section = (page: Page) => page.getByRole('region', { name: 'Uso das práticas' });
const rowOf = (page: Page, name: RegExp | string) => section(page).getByRole('row', { name });

async function openDashboard(page: Page) {
  await signIn(page, site.url, users.admin);
  await page.goto(`${site.url}/admin`);
  await expect(section(page).getByRole('combobox', { name: 'Mês' })).toBeVisible();
}

test('what a visitor plays, ends and opens is counted once, without cookie or storage', async ({ page }) => {
  const id = await create('Três minutos', { audio: '/audio/tres-minutos.mp3' });
  // The uses of eight earlier visitors. With the ninth, a number is always shown.
  writeTotals(site, [id, currentMonth(), 0, 8, 8]);
  const events = recordEvents(page);
  await page.goto(`${site.url}/practices`);
  await scriptStarted(page);
  const card = cardOf(page, 'Três minutos');
  const sent = page.waitForResponse((response) => response.url().endsWith(paths.documents.practiceEvents));
  await card.getByRole('button', { name: 'Tocar' }).press('Enter');
  expect((await sent).status()).toBe(204);
  await card.getByRole('button', { name: 'Pausar' }).press('Enter');
  await card.getByRole('button', { name: 'Tocar' }).press('Enter');
  await expect(card).toContainText('3:00');
  await card.getByRole('slider', { name: 'Posição no áudio' }).press('End');
  await expect.poll(() => events).toEqual(['played', 'finished']);
  for (let count = 0; count < 2; count += 1) {
    await card.getByRole('heading').getByRole('link').click();
    await expect(page.getByRole('heading', { level: 1, name: 'Três minutos' })).toBeVisible();
    await expect.poll(() => events).toEqual(['played', 'finished', 'opened']);
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1, name: 'Práticas' })).toBeVisible();
  }
  await page.waitForLoadState('networkidle');
  expect(events).toHaveLength(3);
  expect(await page.context().cookies()).toEqual([]);
  expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0);

  await openDashboard(page);
  const cells = rowOf(page, /^Três minutos/).getByRole('cell');
  await expect(cells).toHaveText([/menos de 9$/, /Tocada5$/, /Até o fim5$/]);
});

test('a signed-in user sends no cookie; a video counts when its play button is pressed', {
  tag: '@full',
}, async ({ page, watch }) => {
  await create('Assistir e respirar', { url: 'https://youtu.be/aBcDeFgHiJ0' });
  await signIn(page, site.url, users.patient);
  await page.goto(`${site.url}/practices`);
  await scriptStarted(page);
  const asked = page.waitForRequest((request) => request.url().endsWith(paths.documents.practiceEvents));
  await cardOf(page, 'Assistir e respirar')
    .getByRole('button', { name: /^Assistir/ })
    .click();
  const request = await asked;
  expect(request.postDataJSON()).toMatchObject({ event: 'played' });
  expect((await request.allHeaders()).cookie).toBeUndefined();
  watch.foreign.length = 0;
});

test('a failed event shows nothing to the visitor and is not repeated', { tag: '@full' }, async ({
  page,
}) => {
  await create('Sem rede');
  await page.route(`**${paths.documents.practiceEvents}`, (route) => route.abort());
  const events = recordEvents(page);
  await page.goto(`${site.url}/practices`);
  await scriptStarted(page);
  const card = cardOf(page, 'Sem rede');
  for (let count = 0; count < 2; count += 1) {
    await card.getByRole('heading').getByRole('link').click();
    await expect.poll(() => events).toEqual(['opened']);
    await page.goBack();
  }
  await page.waitForLoadState('networkidle');
  expect(events).toHaveLength(1);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('the dashboard shows ten practices, then all, and other months, by keyboard', { tag: '@full' }, async ({
  page,
}) => {
  await openDashboard(page);
  const select = section(page).getByRole('combobox', { name: 'Mês' });
  const month = await select.inputValue();
  const longTitle = 'Respira'.repeat(12);
  const earlier = fillTotals(month, await create(longTitle));
  await page.reload();
  await expect(rowOf(page, 'Prática deletada').first()).toBeVisible();
  await expect(rowOf(page, new RegExp(`^${longTitle}`))).toBeVisible();

  const rows = section(page).getByRole('rowheader');
  await expect(rows).toHaveCount(10);
  await expect(
    section(page).getByRole('table', { name: /^Uso das práticas em \p{L}+ de 20\d\d$/u }),
  ).toBeVisible();
  await expect(section(page).getByRole('columnheader')).toHaveText([
    'Prática',
    'Aberta',
    'Tocada',
    'Até o fim',
  ]);
  const more = section(page).getByRole('button', { name: /^Ver todas as 1\d$/ });
  await more.press('Enter');
  await expect(rows).not.toHaveCount(10);
  const less = section(page).getByRole('button', { name: 'Ver menos' });
  await expect(less).toBeFocused();
  await less.press('Space');
  await expect(rows).toHaveCount(10);

  await select.focus();
  await page.keyboard.press('ArrowDown');
  await expect(select).toHaveValue(earlier);
  await expect(select).toBeFocused();
  await expect(rows).toHaveText(['Prática deletada']);
  await expect(rowOf(page, 'Prática deletada').getByRole('cell')).toHaveText([
    /1\.2(?:25|30)$/,
    /menos de 9$/,
    /menos de 9$/,
  ]);
  await page.keyboard.press('ArrowUp');
  await expect(rows).toHaveCount(10);
});

test('neither admins nor previews are counted; when counting is off, nothing is counted and the notice is gone', {
  tag: '@full',
}, async ({ page }) => {
  await publishClinic(users.admin);
  const id = await create('Para conferir', { audio: '/audio/tres-minutos.mp3' });
  const events = recordEvents(page);
  await signIn(page, site.url, users.admin);
  await page.goto(`${site.url}/admin/editact?axis=mind&id=${id}`);
  await page.getByRole('button', { name: 'Tocar' }).first().click();
  await expect(page.getByRole('button', { name: 'Pausar' })).toBeVisible();
  const { path } = await users.admin.client.site.createPreview();
  await page.goto(`${site.url}${path.replace(/\/$/, '')}/practices`);
  await scriptStarted(page);
  await play(page, 'Para conferir');
  await page.waitForLoadState('networkidle');
  expect(events).toEqual([]);

  const notice = page.getByRole('heading', { name: 'Quando você usa uma prática' });
  await page.goto(`${site.url}/privacidade`);
  await expect(notice).toBeVisible();
  await page.goto(`${site.url}/admin`);
  await section(page).getByRole('link', { name: 'Desligar a contagem' }).click();
  const box = page.getByRole('checkbox', { name: 'Contar o uso das práticas' });
  await expect(box).toBeChecked();
  await box.press('Space');
  await page.getByRole('button', { name: 'Salvar rascunho' }).click();
  await expect(page.getByText('Rascunho salvo. O site ainda não mudou.').last()).toBeVisible();
  await publish(users.admin);

  await page.goto(`${site.url}/practices`);
  await scriptStarted(page);
  await play(page, 'Para conferir');
  await page.waitForLoadState('networkidle');
  expect(events).toEqual([]);
  await page.goto(`${site.url}/privacidade`);
  await expect(page.getByRole('heading', { name: 'Quando você só visita' })).toBeVisible();
  await expect(notice).toHaveCount(0);
  await page.goto(`${site.url}/admin`);
  await expect(section(page)).toContainText('A contagem está desligada');
  await expect(section(page).getByRole('link', { name: 'Ligar a contagem' })).toBeVisible();

  await changeSection(users.admin, 'practices', (content) => ({ ...content, countsUse: true }));
  await publish(users.admin);
});

async function play(page: Page, title: string) {
  await cardOf(page, title).getByRole('button', { name: 'Tocar' }).click();
  await expect(cardOf(page, title).getByRole('button', { name: 'Pausar' })).toBeVisible();
}

/**
 * Writes the totals of many practices for `month`, and of one practice for the month before.
 * @returns the month before
 */
function fillTotals(month: string, id: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const earlier = new Date(Date.UTC(year, number - 2)).toISOString().slice(0, 7);
  writeTotals(
    site,
    ...Array.from(
      { length: 12 },
      (_, index): Totals => [`antiga${index}`, month, 900 - index * 70, 40, index],
    ),
    [id, month, 950, 9, 0],
    ['antiga', earlier, 1_234, 4, 0],
  );
  return earlier;
}
