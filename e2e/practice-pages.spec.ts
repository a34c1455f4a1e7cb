import type { Page } from '@playwright/test';
import { type Activity, type ActivityInput, activityInput } from '#contract/activity.ts';
import { practicePath } from '#contract/practices/path.ts';
import { contentField, linkField, titleField } from './activity-form.ts';
import { chooseFilter, expect, inFullIf, scriptStarted, signIn, siteWithUsers, test } from './journey.ts';
import { printedPages } from './printed-pages.ts';
import { fillLibrary } from './site.ts';
import { changeSection, publishClinic } from './site-editor.ts';

test.describe.configure({ timeout: 120_000 });

const { site, users } = siteWithUsers();

test.beforeAll(() => fillLibrary(users.admin));

async function find(title: string): Promise<Activity> {
  for (const list of ['mindActsList', 'moveActsList', 'valuesActsList'] as const) {
    const { activities } = await users.admin.client.documents.getActivities(list);
    const found = activities.find((activity) => activity.title === title);
    if (found) return found;
  }
  throw new Error(`There is no practice ${title}.`);
}

const create = (changes: Partial<ActivityInput>) =>
  users.admin.client.documents.createActivity(
    activityInput.parse({
      ...{ axis: 'fun', title: 'Assobiar', content: 'Assobie uma música inteira.' },
      url: `${site.url}/practices`,
      ...changes,
    }),
  );

async function open(page: Page, path: string) {
  await page.goto(site.url + path);
  await scriptStarted(page);
}

/** The height, in pixels, by which the top bar shrinks when the page is scrolled. */
const barShrinksBy = 20;

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

for (const width of [360, 1280])
  test(
    `a practice opens from the grid and leads back to the same place, at ${width} px`,
    inFullIf(width !== 360),
    async ({ page }) => {
      await page.setViewportSize({ width, height: 800 });
      await open(page, '/practices?tempo=20&ordem=curtas');
      const link = page.getByRole('article').getByRole('link', { name: 'Percorrer o corpo', exact: true });
      for (const back of [
        () => page.goBack(),
        () => page.getByRole('link', { name: 'Todas as práticas' }).click(),
      ]) {
        // Opens the link by keyboard, because a click would scroll the page first.
        await link.focus();
        expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(100);
        const place = await link.boundingBox();
        await page.keyboard.press('Enter');
        await expect(heading(page, 'Percorrer o corpo')).toBeVisible();
        expect(await page.evaluate(() => window.scrollY)).toBe(0);
        await back();
        await expect(link).toBeFocused();
        await expect(page).toHaveURL(`${site.url}/practices?tempo=20&ordem=curtas`);
        const again = await link.boundingBox();
        expect(Math.abs((again?.y ?? 0) - (place?.y ?? 0))).toBeLessThanOrEqual(barShrinksBy);
      }
    },
  );

test('a page that was opened by its link leads to all practices', { tag: '@full' }, async ({ page }) => {
  await open(page, practicePath(await find('Uma música inteira')));
  await page.getByRole('link', { name: 'Todas as práticas' }).click();
  await expect(page).toHaveURL(`${site.url}/practices`);
});

test('a doctor sends a practice by WhatsApp, or copies its link', async ({ page, context, browserName }) => {
  expect(browserName).toBe('chromium');
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.url });
  const practice = await find('Percorrer o corpo');
  await open(page, `/practices/${practice.id}/nome-de-antes`);
  const url = site.url + practicePath(practice);
  const send = page.getByRole('link', { name: 'Enviar pelo WhatsApp (abre em outra aba)' });
  const target = new URL((await send.getAttribute('href')) ?? '');
  expect(target.origin + target.pathname).toBe('https://wa.me/');
  expect(target.searchParams.get('text')).toBe(`Percorrer o corpo\n${url}`);
  await page.getByRole('button', { name: 'Copiar link' }).click();
  await expect(page.getByText('Link copiado.')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url);
});

test('where the browser refuses to copy, the link is there to copy by hand', { tag: '@full' }, async ({
  page,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined });
  });
  const practice = await find('Percorrer o corpo');
  await open(page, practicePath(practice));
  await page.getByRole('button', { name: 'Copiar link' }).click();
  await expect(page.getByLabel('Copie o link daqui:')).toHaveValue(site.url + practicePath(practice));
});

test('a practice prints on one page, with its address, the doctor and the number for help', {
  tag: '@full',
}, async ({ page }) => {
  await open(page, practicePath(await find('Percorrer o corpo')));
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('banner').getByRole('link', { name: /página inicial/ })).toBeVisible();
  await expect(page.getByText('Termine notando o corpo inteiro de uma vez')).toBeVisible();
  for (const hidden of ['button', 'complementary', 'contentinfo', 'navigation'] as const)
    await expect(page.getByRole(hidden).filter({ visible: true })).toHaveCount(0);
  await expect(page.getByText('Outras práticas')).toBeHidden();
  await expect(page.getByRole('link', { name: 'Agendar' }).filter({ visible: true })).toHaveCount(0);
  await expect(page.getByRole('img', { name: 'O endereço desta prática' })).toBeVisible();
  await expect(page.getByText(page.url(), { exact: true })).toBeVisible();
  await expect(page.getByText(/CRM-.*RQE/).filter({ visible: true })).toBeVisible();
  await expect(page.getByText(/ligue 188/).filter({ visible: true })).toBeVisible();
  expect(await printedPages(page)).toBe(1);
});

test('a deleted practice says so and offers others, also while its page is open', async ({ page }) => {
  const practice = await create({ title: 'Assobiar' });
  const path = practicePath(practice);
  await open(page, path);
  await expect(heading(page, 'Assobiar')).toBeVisible();
  await users.admin.client.documents.deleteActivity(practice);
  await page.reload();
  await expect(heading(page, 'Esta prática saiu da biblioteca.')).toBeVisible();
  await page.getByRole('region', { name: 'Talvez uma destas' }).getByRole('link').first().click();
  await expect(heading(page, 'Esta prática saiu da biblioteca.')).toHaveCount(0);
  await expect(page.getByRole('article')).toBeVisible();
  await page.goBack();
  await expect(heading(page, 'Esta prática saiu da biblioteca.')).toBeVisible();
});

test('a practice without a video shows no link to the site itself', { tag: '@full' }, async ({ page }) => {
  const practice = await create({ title: 'Cantarolar' });
  await open(page, practicePath(practice));
  await expect(heading(page, 'Cantarolar')).toBeVisible();
  await expect(page.getByRole('link', { name: /^Abrir em/ })).toHaveCount(0);
  await open(page, '/practices?eixo=values');
  const card = page.getByRole('article', { name: 'Cantarolar' });
  await expect(card).toBeVisible();
  await expect(card.getByRole('link', { name: /^Abrir em/ })).toHaveCount(0);
});

test('an admin says that a practice has no video, gives its length, and offers it at night', {
  tag: '@full',
}, async ({ page }) => {
  await signIn(page, site.url, users.admin);
  await page.goto(`${site.url}/admin/newact?axis=move`);
  await titleField(page).fill('Alongar na cama');
  await page.getByLabel('Esta prática não tem vídeo').check();
  await expect(linkField(page)).toHaveCount(0);
  await contentField(page).fill('Estique um braço de cada vez.');
  await page.getByLabel('Duração em minutos').fill('0');
  await page.getByRole('button', { name: 'Criar prática' }).click();
  await expect(
    page.getByRole('link', { name: 'Duração em minutos: A duração é de 1 minuto ou mais.' }),
  ).toBeVisible();
  await page.getByLabel('Duração em minutos').fill('4');
  await page.getByLabel('Não consigo dormir').check();
  await page.getByRole('button', { name: 'Criar prática' }).click();
  await expect(page.getByText('act created')).toBeVisible();
  const created = await find('Alongar na cama');
  expect(created).toMatchObject({ minutes: 4, night: 'sleep', visibility: 'public' });
  expect(created.url).toBe(`${site.url}/practices/${created.id}`);

  await page.goto(`${site.url}/admin/editact?axis=move&id=${created.id}`);
  await expect(page.getByLabel('Esta prática não tem vídeo')).toBeChecked();
  await page.getByLabel('Só na administração').check();
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByText('post updated')).toBeVisible();
  await page.context().clearCookies();
  await page.goto(`${site.url}${practicePath(created)}`);
  await expect(heading(page, 'Não achamos esta página')).toBeVisible();
});

test('the night path leads to the chosen practices, with the numbers for a crisis beside them', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page, '/practices#noite');
  const night = page.getByRole('region', { name: 'Para a noite' });
  await expect(night).toBeInViewport();
  for (const [need, title] of [
    ['Não consigo dormir', 'Três sons antes de dormir'],
    ['Cabeça acelerada', 'Cinco, quatro, três, dois, um'],
    ['Peito apertado', 'Um minuto com a respiração'],
  ] as const) {
    const link = night.getByRole('link', { name: new RegExp(`^${need}`) });
    expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await expect(link).toHaveAttribute('href', practicePath(await find(title)));
  }
  await expect(night.getByRole('link', { name: 'Ligar para o CVV, 188' })).toHaveAttribute('href', 'tel:188');
  await night.getByRole('link', { name: /^Cabeça acelerada/ }).click();
  await expect(heading(page, 'Cinco, quatro, três, dois, um')).toBeVisible();
});

const cards = (page: Page) => page.getByRole('article').getByRole('heading', { level: 2 }).allTextContents();

test('a visitor finds a practice by need, words and time, plays it, and the URL keeps the choice', async ({
  page,
  watch,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page, '/practices');
  const first = page.getByRole('article').first();
  expect((await first.boundingBox())?.y).toBeLessThanOrEqual(900);
  await page.getByRole('link', { name: 'Ansiedade', exact: true }).click();
  await expect(page).toHaveURL(`${site.url}/practices?necessidade=ansiedade`);
  await expect(page).toHaveTitle(/^Práticas: Ansiedade \|/);
  await expect.poll(() => cards(page)).toHaveLength(5);
  await page.getByRole('searchbox', { name: 'O que você procura?' }).fill('FÓLHA');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${site.url}/practices?necessidade=ansiedade&q=F%C3%93LHA`);
  await expect.poll(() => cards(page)).toEqual(['Folhas no riacho']);
  await expect(page.getByRole('status').filter({ hasText: '1 prática com “FÓLHA”' })).toBeVisible();
  await first.getByRole('button', { name: /^Assistir/ }).click();
  await expect(first.locator('iframe')).toBeVisible();
  watch.foreign.length = 0;

  await page.getByRole('link', { name: 'Limpar a busca' }).click();
  await chooseFilter(page, 'Tempo', 'Até 3 minutos');
  await chooseFilter(page, 'Ordem', 'Mais curtas');
  const path = '/practices?necessidade=ansiedade&tempo=3&ordem=curtas';
  await expect(page).toHaveURL(site.url + path);
  const short = ['Um minuto com a respiração', 'Cinco, quatro, três, dois, um'];
  await expect.poll(() => cards(page)).toEqual(short);
  await expect(
    page.getByText('2 práticas de até 3 minutos; 2 sem duração informada ficam de fora'),
  ).toBeVisible();
  await page.reload();
  await expect.poll(() => cards(page)).toEqual(short);
  await chooseFilter(page, 'Tipo', 'Alimentação');
  await expect(page.getByText('Nenhuma prática cabe nesta escolha.')).toBeVisible();
  await page.getByRole('link', { name: 'Ver todas as práticas' }).click();
  await expect(page).toHaveURL(`${site.url}/practices`);
  await expect.poll(() => cards(page)).toHaveLength(30);
});

test('the chosen need is in view on a phone, and all menus of filters fit', { tag: '@full' }, async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page, '/practices?necessidade=dor&tempo=20&eixo=mind&ordem=curtas');
  await expect(page.getByRole('link', { name: 'Dor', exact: true })).toBeInViewport({ ratio: 1 });
  for (const summary of await page.getByRole('navigation', { name: 'Filtros' }).locator('summary').all())
    await expect(summary).toBeInViewport({ ratio: 1 });
});

test('a menu of filters closes with Escape and after a choice, and keeps the focus', {
  tag: '@full',
}, async ({ page }) => {
  await open(page, '/practices');
  const menu = page.getByRole('navigation', { name: 'Filtros' }).locator('details').first();
  const summary = menu.locator('summary');
  await summary.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Escape');
  await expect(menu).not.toHaveAttribute('open');
  await expect(summary).toBeFocused();
  await summary.press('Enter');
  await menu.getByRole('link', { name: 'Movimento' }).press('Enter');
  await expect(page).toHaveURL(`${site.url}/practices?eixo=move`);
  await expect(menu).not.toHaveAttribute('open');
  await expect(summary).toBeFocused();
  await expect(summary).toHaveText(/Movimento$/);
});

test('an admin names a need and assigns it, and a need that is removed leaves its practices whole', {
  tag: '@full',
}, async ({ page }) => {
  const practice = await create({ title: 'Bocejar', needs: 'sono' });
  await changeSection(users.admin, 'practices', (texts) => ({
    ...texts,
    needs: [
      { id: 'sono', name: 'Dormir melhor' },
      { id: 'x', name: 'Raiva' },
    ],
  }));
  await publishClinic(users.admin);
  await signIn(page, site.url, users.admin);
  await page.goto(`${site.url}/admin/editact?axis=fun&id=${practice.id}`);
  const needs = page.getByRole('group', { name: 'Ajuda com' });
  await expect(needs.getByRole('checkbox', { name: 'Dormir melhor' })).toBeChecked();
  await needs.getByRole('checkbox', { name: 'Raiva' }).check();
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByText('post updated')).toBeVisible();
  await open(page, practicePath(practice));
  await page.getByRole('list', { name: 'Ajuda com' }).getByRole('link', { name: 'Raiva' }).click();
  await expect(page).toHaveURL(`${site.url}/practices?necessidade=x`);
  await expect.poll(() => cards(page)).toEqual(['Bocejar']);
  await changeSection(users.admin, 'practices', (texts) => ({ ...texts, needs: [] }));
  await publishClinic(users.admin);
  await open(page, practicePath(practice));
  await expect(page.getByRole('list', { name: 'Ajuda com' })).toHaveCount(0);
  await open(page, '/practices?necessidade=x');
  await expect(page.getByRole('article', { name: 'Bocejar' })).toBeVisible();
  expect((await find('Bocejar')).needs).toBe('sono x');
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the page of a practice, the choice of time and the night path are complete', {
    tag: '@full',
  }, async ({ page }) => {
    const practice = await find('Percorrer o corpo');
    await page.goto(site.url + practicePath(practice));
    await expect(heading(page, 'Percorrer o corpo')).toBeVisible();
    await expect(page.getByText('Termine notando o corpo inteiro de uma vez')).toBeVisible();
    await expect(page.getByText('12 min')).toBeVisible();
    await expect(page.getByRole('link', { name: /^Enviar pelo WhatsApp/ })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Copiar link' })).toHaveCount(0);
    await page.getByRole('link', { name: 'Todas as práticas' }).click();
    await chooseFilter(page, 'Tempo', 'Até 10 minutos');
    await expect(page).toHaveURL(`${site.url}/practices?tempo=10`);
    expect(await cards(page)).toHaveLength(11);
    await page.getByRole('searchbox').fill('ombros');
    await page.getByRole('button', { name: 'Buscar' }).click();
    await expect(page).toHaveURL(`${site.url}/practices?q=ombros&tempo=10`);
    // A word of the title counts more than the same word in a text.
    const found = ['Soltar os ombros em dois minutos', 'A pausa do semáforo', 'Uma música inteira'];
    await expect.poll(() => cards(page)).toEqual(found);
    await page.goto(`${site.url}/practices`);
    await page
      .getByRole('region', { name: 'Para a noite' })
      .getByRole('link', { name: /^Peito apertado/ })
      .click();
    await expect(heading(page, 'Um minuto com a respiração')).toBeVisible();
  });
});
