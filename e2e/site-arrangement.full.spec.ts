import type { Page } from '@playwright/test';
import { texts } from '#clinic/texts.ts';
import { expect, signIn, siteWithUsers, test } from './journey.ts';
import {
  changeSection,
  openPart,
  openSection,
  preview,
  publish,
  publishClinic,
  readSection,
  save,
} from './site-editor.ts';

const { site, users } = siteWithUsers();

test.beforeAll(() => publishClinic(users.admin));
test.beforeEach(({ page }) => signIn(page, site.url, users.admin));

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const parts = (page: Page) => page.getByRole('group', { name: 'Página inicial' });
const sections = (page: Page) => page.locator('main section[aria-labelledby]');

for (const width of [360, 1280])
  test(`at ${width} px parts are moved and hidden by keyboard, in the preview and then on the site`, async ({
    page,
  }) => {
    await changeSection(users.admin, 'arrangement', () => texts.arrangement);
    await page.setViewportSize({ width, height: 760 });
    await openSection(page, site.url, 'arrangement');
    await expect(button(page, 'Mover Como eu cuido para cima')).toHaveAttribute('aria-disabled', 'true');
    const up = button(page, 'Mover A abordagem para cima');
    await up.press('Enter');
    await expect(parts(page).getByRole('status')).toHaveText('A abordagem: agora na posição 2 de 9.');
    await expect(up).toBeFocused();
    await up.press(' ');
    await expect(parts(page).getByRole('status')).toHaveText('A abordagem: agora na posição 1 de 9.');
    await expect(up).toBeFocused();
    const down = button(page, 'Mover Carta para baixo');
    await down.press('Enter');
    await expect(parts(page).getByRole('listitem').last()).toContainText('Carta');
    await button(page, 'Esconder Perguntas frequentes').press('Enter');
    await expect(button(page, 'Mostrar Perguntas frequentes')).toBeFocused();
    await expect(parts(page).getByRole('status')).toHaveText('Perguntas frequentes: não aparece no site.');
    if (width === 360) await button(page, 'Ver como ficará').click();
    const shown = preview(page).locator('main section[aria-labelledby]');
    await expect(shown.nth(1)).toHaveAttribute('aria-labelledby', 'abordagem-titulo');
    await expect(preview(page).locator('#perguntas')).toHaveCount(0);
    if (width === 360) await button(page, 'Editar').click();
    await button(page, 'Mover FAP para cima').press('Enter');
    if (width === 360) await button(page, 'Ver como ficará').click();
    await expect(preview(page).locator('main section').first()).toHaveAttribute('aria-labelledby', 'fap');
    if (width === 360) await button(page, 'Editar').click();
    await save(page);
    await page.goto(`${site.url}/admin/site/publicar`);
    await expect(page.getByText('Perguntas frequentes (não aparece)')).toBeVisible();
    for (const box of await page.getByRole('checkbox').all()) await box.check();
    await button(page, 'Publicar agora').click();
    await expect(page.getByText('Publicado.')).toBeVisible();

    await page.goto(site.url);
    await expect(sections(page).nth(1)).toHaveAttribute('aria-labelledby', 'abordagem-titulo');
    await expect(page.locator('#perguntas')).toHaveCount(0);
    await expect(page.getByRole('contentinfo').getByText('Perguntas frequentes')).toHaveCount(0);
    // After a client-side navigation, the browser renders the pages.
    await page.getByRole('contentinfo').getByRole('link', { name: 'A abordagem' }).click();
    await expect(page.locator('main section').first()).toHaveAttribute('aria-labelledby', 'fap');
    await page
      .getByRole('banner')
      .getByRole('link', { name: /página inicial/ })
      .click();
    await expect(sections(page).nth(1)).toHaveAttribute('aria-labelledby', 'abordagem-titulo');
    // The next test can share this site.
    await changeSection(users.admin, 'arrangement', () => texts.arrangement);
    await publish(users.admin);
  });

for (const width of [360, 1280])
  test(`at ${width} px what is still the sample is named, found, written and confirmed`, async ({ page }) => {
    await changeSection(users.admin, 'arrangement', () => texts.arrangement);
    await changeSection(users.admin, 'home', () => texts.home);
    await page.setViewportSize({ width, height: 760 });
    await page.goto(`${site.url}/admin/site`);
    const heading = page.getByRole('heading', { name: 'Página inicial' });
    await expect(page.getByRole('listitem').filter({ has: heading })).toContainText(
      /Ainda é o exemplo: \d\d campos/,
    );

    await page.goto(`${site.url}/admin/site/publicar`);
    const samples = page.getByRole('region', { name: 'Ainda é o exemplo' });
    await expect(samples).toContainText('Título da página, Descrição para buscadores');
    await samples.getByRole('link', { name: 'Ir ao campo: Contato' }).press('Enter');
    const title = page.getByLabel('Título', { exact: true }).last();
    await expect(title).toBeFocused();
    await expect(title).toHaveAccessibleDescription('Ainda é o exemplo');
    await title.fill('Escreva quando quiser');
    await expect(title).not.toHaveAccessibleDescription(/Ainda é o exemplo/);
    await title.fill(texts.home.contact.title);
    await expect(title).toHaveAccessibleDescription('Ainda é o exemplo');

    await openPart(page, 'Carta');
    await button(page, 'Está bom assim: Carta').press('Enter');
    await expect(page.getByText('Carta: fica como está.')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Carta', exact: true })).toBeVisible();
    expect((await readSection(users.admin, 'arrangement')).content.confirmed).toEqual(['home.newsletter']);
    await button(page, 'Desfazer').press('Enter');
    await expect(page.getByRole('heading', { name: 'Carta Ainda é o exemplo' })).toBeVisible();

    await page.goto(`${site.url}/admin/site/publicar`);
    await button(page, 'Está bom assim: Valores e convênio').press('Enter');
    await expect(samples.getByRole('link', { name: 'Ir ao campo: Valores e convênio' })).toHaveCount(0);
    await expect(
      page.getByText('Valores e convênio:', { exact: false }).and(page.locator('strong')),
    ).toHaveCount(0);
    await page.goto(`${site.url}/admin/site/arrangement`);
    await page.getByText('Ver 1 parte').press('Enter');
    await button(page, 'Rever Página inicial, Valores e convênio').press('Enter');
    await expect(page.getByText('Nenhum por enquanto.')).toBeVisible();
  });
