import type { Page } from '@playwright/test';
import { demoContent } from '#clinic/demo-content.ts';
import { expect, signIn, siteWithUsers, test } from './journey.ts';
import { registerAdmin, type TestUser } from './site.ts';
import {
  changeSection,
  kept,
  openSection,
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

  // A field that only one of them has changed is chosen already.
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

test('an admin who edits another section meets no conflict', async ({ page }) => {
  await openSection(page, site.url, 'home');
  await lead(page).fill('Só nesta parte.');
  await changeSection(bruno, 'about', (about) => ({ ...about, lead: 'Bruno, em outra parte.' }));
  await save(page);
  expect(await heroNow()).toMatchObject({ lead: 'Só nesta parte.' });
  expect((await readSection(users.admin, 'about')).content.lead).toBe('Bruno, em outra parte.');
});

test('recovered text that is older than the save of another admin leads to the choice', async ({
  page,
  context,
}) => {
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

test('two tabs of the same admin do not overwrite each other', async ({ page, context }) => {
  const other = await context.newPage();
  await openSection(page, site.url, 'home');
  await openSection(other, site.url, 'home');
  await lead(page).fill('Da primeira aba.');
  await save(page);
  await note(other).fill('Da segunda aba.');
  await saveButton(other).click();
  await expect(conflict(other)).toBeVisible();
  await other.getByRole('button', { name: 'Salvar o que escolhi' }).click();
  await expect(other.getByText('Rascunho salvo. O site ainda não mudou.')).toBeVisible();
  expect(await heroNow()).toMatchObject({ lead: 'Da primeira aba.', note: 'Da segunda aba.' });
});

test('a publication that another admin overtakes publishes nothing and shows what changes now', async ({
  page,
}) => {
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
  // Every warning must be confirmed again: there are others now.
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0);
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await page.getByRole('button', { name: 'Publicar agora' }).click();
  await expect(page.getByText('Publicado.')).toBeVisible();
  expect((await users.admin.client.site.listVersions())[0]).toMatchObject({
    version: 2,
    note: 'novo título',
  });
});
