import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from '@playwright/test';
import { demoContent } from '#clinic/demo-content.ts';
import { expect, signIn, siteWithUsers, test } from './journey.ts';
import { registerAdmin, type TestUser } from './site.ts';
import {
  changeSection,
  kept,
  openSection,
  publish,
  publishClinic,
  readSection,
  save,
  saveButton,
} from './site-editor.ts';

const { site, users } = siteWithUsers();
let bruno: TestUser;

test.beforeAll(async () => {
  bruno = await registerAdmin(site, users, 'Bruno Lima');
  await publishClinic(users.admin);
});
test.beforeEach(async ({ page }) => {
  await changeSection(users.admin, 'home', () => demoContent.home);
  await signIn(page, site.url, users.admin);
});

const conflict = (page: Page) =>
  page.getByRole('heading', { name: 'Alguém salvou esta parte antes de você' });
const both = (page: Page, field: string) => page.getByRole('group', { name: field, exact: true });
const lead = (page: Page) => page.getByLabel('Apresentação');
const note = (page: Page) => page.getByLabel('Aviso sobre o WhatsApp');

const brunoSaves = (change: Partial<typeof demoContent.home.hero>) =>
  changeSection(bruno, 'home', (home) => ({ ...home, hero: { ...home.hero, ...change } }));

const heroNow = async () => (await readSection(users.admin, 'home')).content.hero;

test('two admins who edit the same section see both versions and choose for each field', async ({ page }) => {
  await openSection(page, site.url, 'home');
  await lead(page).fill('A frase da Alice.');
  await note(page).fill('O aviso da Alice.');
  await brunoSaves({ lead: 'A frase do Bruno.', lines: ['Do Bruno.', 'Também do Bruno.'] });
  await saveButton(page).click();
  await expect(conflict(page)).toBeFocused();
  await expect(page.getByText('Salva por Bruno Lima.')).toBeVisible();

  // If only one admin has changed a field, that admin's version is preselected.
  await expect(
    both(page, 'Abertura, Aviso sobre o WhatsApp').getByRole('radio', { name: 'A sua' }),
  ).toBeChecked();
  await expect(
    both(page, 'Abertura, As duas frases grandes').getByRole('radio', { name: 'A salva' }),
  ).toBeChecked();
  const open = both(page, 'Abertura, Apresentação');
  await expect(open).toContainText('A frase da Alice.');
  await expect(open).toContainText('A frase do Bruno.');
  await page.getByRole('button', { name: 'Salvar o que escolhi' }).click();
  await expect(page.getByText('Falta escolher uma versão de cada campo.')).toBeVisible();
  await expect(open.locator(':focus')).toHaveCount(1);

  await page.getByRole('button', { name: 'Continuar editando' }).click();
  await expect(lead(page)).toHaveValue('A frase da Alice.');
  await saveButton(page).click();
  await open.getByRole('radio', { name: 'A salva' }).check();
  await page.getByRole('button', { name: 'Salvar o que escolhi' }).click();
  await expect(page.getByText('Rascunho salvo. O site ainda não mudou.')).toBeVisible();
  await expect(lead(page)).toHaveValue('A frase do Bruno.');
  expect(await heroNow()).toMatchObject({
    lines: ['Do Bruno.', 'Também do Bruno.'],
    lead: 'A frase do Bruno.',
    note: 'O aviso da Alice.',
  });
});

test('recovered text that is older than the save of another admin leads to the conflict view', {
  tag: '@full',
}, async ({ page, context }) => {
  await openSection(page, site.url, 'home');
  await lead(page).fill('Da semana passada.');
  await expect(kept(page)).toBeVisible();
  await page.close({ runBeforeUnload: false });
  await brunoSaves({ note: 'De hoje.' });
  const next = await context.newPage();
  await openSection(next, site.url, 'home');
  await expect(lead(next)).toHaveValue('Da semana passada.');
  await saveButton(next).click();
  await expect(conflict(next)).toBeVisible();
  await next.getByRole('button', { name: 'Salvar o que escolhi' }).click();
  await expect(next.getByText('Rascunho salvo. O site ainda não mudou.')).toBeVisible();
  expect(await heroNow()).toMatchObject({ lead: 'Da semana passada.', note: 'De hoje.' });
});

test('when another admin saves first, the publication publishes nothing and shows what changes now', {
  tag: '@full',
}, async ({ page }) => {
  await changeSection(users.admin, 'home', (home) => ({ ...home, title: 'Uma promessa de cura' }));
  await page.goto(`${site.url}/admin/site/publicar`);
  await page.getByLabel('Nota (opcional)').fill('novo título');
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await brunoSaves({ lead: 'Resultado garantido, diz o Bruno.' });
  await page.getByRole('button', { name: 'Publicar agora' }).click();
  await expect(page.getByText('Outra pessoa mudou o rascunho')).toBeVisible();
  const [newest] = await users.admin.client.site.listVersions();
  expect(newest?.version).toBe(1);

  await page.getByRole('button', { name: 'Ver o que muda agora' }).click();
  await expect(page.getByText('Resultado garantido, diz o Bruno.')).toBeVisible();
  await expect(page.getByLabel('Nota (opcional)')).toHaveValue('novo título');
  // The warnings have changed, so the admin must confirm each of them again.
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0);
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await page.getByRole('button', { name: 'Publicar agora' }).click();
  await expect(page.getByText('Publicado.')).toBeVisible();
  expect((await users.admin.client.site.listVersions())[0]).toMatchObject({
    version: 2,
    note: 'novo título',
  });
});

/**
 * Lets requests reach the server, but drops the responses.
 * @returns a function that lets the responses through again
 */
async function loseResponses(page: Page, path: string) {
  await page.route(`**/api/site/${path}`, async (route) => {
    await route.fetch();
    await route.abort();
  });
  return () => page.unroute(`**/api/site/${path}`);
}
/** Opens the page for publishing, and confirms its warnings. */
async function openPublication(page: Page) {
  await page.goto(`${site.url}/admin/site/publicar`);
  await expect(publishButton(page)).toBeVisible();
  for (const box of await page.getByRole('checkbox').all()) await box.check();
}
const publishButton = (page: Page) => page.getByRole('button', { name: 'Publicar agora' });
const noNetwork = (page: Page) => page.getByRole('alert').filter({ hasText: 'Sem conexão.' });

test('a save whose response was lost is no conflict, also after more typing', { tag: '@full' }, async ({
  page,
}) => {
  await openSection(page, site.url, 'home');
  for (const [lost, next] of [
    ['Chegou. ', 'Chegou. '],
    ['Chegou, sem resposta.', 'E continuou.'],
  ] as const) {
    await lead(page).fill(lost);
    const repair = await loseResponses(page, 'draft/home');
    await saveButton(page).click();
    await expect(noNetwork(page)).toBeVisible();
    await repair();
    await lead(page).fill(next);
    await save(page);
    await expect(page.getByText('Rascunho salvo. Falta publicar.')).toBeVisible();
    expect((await heroNow()).lead).toBe(next.trim());
  }
});

test('a publication whose response was lost is reported as published', { tag: '@full' }, async ({ page }) => {
  const publications = () => users.admin.client.site.listVersions();
  const { length } = await publications();
  for (const [lead, change] of [
    ['Publicada.', undefined],
    ['Publicada, e depois Bruno mudou.', 'Mudança do Bruno.'],
  ]) {
    await changeSection(users.admin, 'about', (about) => ({ ...about, lead: lead ?? '' }));
    await openPublication(page);
    const repair = await loseResponses(page, 'publish');
    await publishButton(page).click();
    await expect(noNetwork(page)).toBeVisible();
    await repair();
    if (change) await brunoSaves({ note: change });
    await publishButton(page).click();
    await expect(page.getByText('Publicado. Quem abrir o site já vê a versão nova.')).toBeVisible();
  }
  expect(await publications()).toHaveLength(length + 2);
});

test('the publication of another admin is not reported as a success', { tag: '@full' }, async ({ page }) => {
  await brunoSaves({ lead: 'Um rascunho.' });
  await openPublication(page);
  await brunoSaves({ lead: 'Publicado por Bruno.' });
  await publish(bruno);
  await publishButton(page).click();
  await expect(page.getByText('Outra pessoa publicou depois que esta página abriu.')).toBeVisible();
  await page.getByRole('button', { name: 'Ver o que muda agora' }).click();
  await expect(page.getByText('O site já mostra tudo o que foi escrito.')).toBeVisible();
});

test('an admin who discards or restores is asked again after another admin’s save', { tag: '@full' }, async ({
  page,
}) => {
  await brunoSaves({ lead: 'Para a versão de antes.' });
  await publish(bruno);
  await brunoSaves({ lead: 'Um rascunho.' });
  await openSection(page, site.url, 'home');
  await page.getByRole('button', { name: 'Descartar rascunho' }).click();
  await brunoSaves({ lead: 'Bruno, no meio do descarte.' });
  const discard = page.getByRole('dialog').getByRole('button', { name: 'Descartar' });
  await discard.click();
  await expect(page.getByRole('dialog')).toContainText('Bruno Lima salvou esta parte');
  expect((await heroNow()).lead).toBe('Bruno, no meio do descarte.');
  await discard.click();
  await expect(page.getByText('O rascunho voltou ao que está publicado.')).toBeVisible();

  await page.goto(`${site.url}/admin/site/historico`);
  await page.getByRole('button', { name: 'Voltar a esta versão' }).last().click();
  const restore = page.getByRole('dialog').getByRole('button', { name: 'Pôr no rascunho' });
  await expect(page.getByRole('dialog')).not.toContainText('Atenção');
  await brunoSaves({ lead: 'Bruno, no meio da volta.' });
  await restore.click();
  await expect(page.getByRole('dialog')).toContainText('O rascunho mudou enquanto');
  await expect(page.getByRole('dialog')).toContainText('se perde nestas partes: Página inicial.');
  await restore.click();
  await expect(page.getByText('A versão 1 está no rascunho.')).toBeVisible();
});

test('a refused publication names what prevents it', { tag: '@full' }, async ({ page }) => {
  await brunoSaves({ lead: 'Um rascunho.' });
  await openPublication(page);
  // Stores a text that is too long to publish, as an earlier release could have done.
  const database = new DatabaseSync(join(site.dataDir, 'acolhe.sqlite'), { timeout: 5_000 });
  const content = JSON.stringify({ ...demoContent.home, title: 'x'.repeat(4_000) });
  database.prepare(`update "siteDrafts" set content = ? where section = 'home'`).run(content);
  database.close();
  await publishButton(page).click();
  await expect(page.getByRole('heading', { name: 'Antes de publicar, corrija' })).toBeFocused();
  await expect(page.getByRole('link', { name: 'Título da página' })).toBeVisible();
});
