import type { Page } from '@playwright/test';
import { contentField, linkField, titleField } from './activity-form.ts';
import { expect, signIn, signInAnew, siteWithUsers, test } from './journey.ts';
import { registerAdmin } from './site.ts';

const { site, users } = siteWithUsers();

const kept = (page: Page) => page.getByText('O rascunho fica neste aparelho até você salvar.');

/** The keys of the drafts in `localStorage`. */
const stored = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('acolhe:draft:')));

async function open(page: Page, path: string) {
  await page.goto(site.url + path);
  await expect(page.locator('h1')).toBeVisible();
}

/** Closes the page like a crash: without a confirmation and without saving. */
async function crash(page: Page) {
  const context = page.context();
  await page.close({ runBeforeUnload: false });
  return context.newPage();
}

const create = (title: string) =>
  users.admin.client.documents.createActivity({
    axis: 'mind',
    title,
    url: 'https://youtu.be/aBcDeFgHiJ0',
    content: 'Note o ar.',
  });

test.beforeEach(({ page }) => signIn(page, site.url, users.admin));

test('the draft of a new activity is offered, continued and saved', async ({ page }) => {
  await open(page, '/admin/newact');
  await titleField(page).fill('Ouvir a chuva');
  await contentField(page).fill('Sente perto de uma janela.');
  await page.getByLabel('Mind').check();
  await expect(kept(page)).toBeVisible();

  const next = await crash(page);
  await open(next, '/admin/newact');
  await expect(next.getByRole('heading', { name: 'Há um rascunho seu' })).toBeVisible();
  await expect(next.getByText('Sente perto de uma janela.')).toBeVisible();
  await next.getByRole('button', { name: 'Continuar rascunho' }).click();
  await expect(titleField(next)).toHaveValue('Ouvir a chuva');
  await expect(titleField(next)).toBeFocused();
  await expect(next.getByLabel('Mind')).toBeChecked();
  await linkField(next).fill('https://youtu.be/aBcDeFgHiJ0');
  await next.getByRole('button', { name: 'Criar prática' }).click();
  await expect(next.getByText('act created')).toBeVisible();
  expect(await stored(next)).toEqual([]);
  await open(next, '/admin/newact');
  await expect(titleField(next)).toHaveValue('');
});

test('a sign-out with a clock that was ahead does not stop drafts', { tag: '@full' }, async ({ page }) => {
  await page.goto(site.url);
  await page.evaluate(() => localStorage.setItem('acolhe:cleared', String(Date.now() + 864e5)));
  await open(page, '/admin/newact');
  await titleField(page).fill('Ouvir a chuva');
  await expect(kept(page)).toBeVisible();
});

test('a draft of an edit belongs to its activity, and can be discarded', { tag: '@full' }, async ({
  page,
}) => {
  const [one, other] = [await create('Uma'), await create('Outra')];
  await open(page, `/admin/editact?axis=mind&id=${one.id}`);
  await titleField(page).fill('Uma, devagar');
  await expect(kept(page)).toBeVisible();

  const next = await crash(page);
  await open(next, `/admin/editact?axis=mind&id=${other.id}`);
  await expect(titleField(next)).toHaveValue('Outra');
  await open(next, `/admin/editact?axis=mind&id=${one.id}`);
  await next.getByRole('button', { name: 'Descartar' }).click();
  await expect(titleField(next)).toHaveValue('Uma');
  await expect(titleField(next)).toBeFocused();
  expect(await stored(next)).toEqual([]);
});

test('a draft of an old version leads to the conflict view, with all of its fields', {
  tag: '@full',
}, async ({ page }) => {
  const practice = await create('Sentir os pés');
  await open(page, `/admin/editact?axis=mind&id=${practice.id}`);
  await titleField(page).fill('Sentir os dois pés');
  await expect(kept(page)).toBeVisible();
  const next = await crash(page);
  const { id: _, createdAt: __, updatedAt: ___, audioSeconds: ____, ...input } = practice;
  await users.admin.client.documents.updateActivity(practice, { ...input, content: 'Note o chão.' });
  await open(next, `/admin/editact?axis=mind&id=${practice.id}`);
  await next.getByRole('button', { name: 'Continuar rascunho' }).click();
  await next.getByRole('button', { name: 'Salvar', exact: true }).click();
  await expect(next.getByText('Alguém salvou esta prática antes de você')).toBeVisible();
  await next.getByRole('button', { name: 'Salvar o que escolhi' }).click();
  await expect(next.getByText('post updated')).toBeVisible();
  const saved = await users.admin.client.documents.findActivity(practice);
  expect(saved).toMatchObject({ title: 'Sentir os dois pés', content: 'Note o chão.' });
});

test('a draft from before a field was added is completed, not deleted', { tag: '@full' }, async ({
  page,
}) => {
  const practice = await create('Escutar');
  await open(page, `/admin/editact?axis=mind&id=${practice.id}`);
  await titleField(page).fill('Escutar de longe');
  await expect(kept(page)).toBeVisible();
  await page.evaluate(() => {
    const [key = ''] = Object.keys(localStorage).filter((name) => name.startsWith('acolhe:draft:'));
    const draft = JSON.parse(localStorage.getItem(key) ?? '');
    for (const fields of [draft.values, draft.base]) {
      delete fields.audio;
      delete fields.content;
    }
    localStorage.setItem(key, JSON.stringify(draft));
  });
  const next = await crash(page);
  await open(next, `/admin/editact?axis=mind&id=${practice.id}`);
  await next.getByRole('button', { name: 'Continuar rascunho' }).click();
  await expect(titleField(next)).toHaveValue('Escutar de longe');
  await expect(contentField(next)).toHaveValue('');
  await contentField(next).fill('Feche os olhos.');
  await next.getByRole('button', { name: 'Salvar', exact: true }).click();
  await expect(next.getByText('post updated')).toBeVisible();
});

test('restoring the saved text by hand leaves no draft', { tag: '@full' }, async ({ page }) => {
  const practice = await create('Piscar');
  await open(page, `/admin/editact?axis=mind&id=${practice.id}`);
  await titleField(page).fill('Piscar devagar');
  await expect(kept(page)).toBeVisible();
  await titleField(page).fill('Piscar');
  await expect(kept(page)).toBeHidden();
  expect(await stored(page)).toEqual([]);
});

test('sign-out removes the drafts, also while the form is open in another tab', { tag: '@full' }, async ({
  page,
  context,
}) => {
  await signInAnew(page, site.url, users.admin);
  await open(page, '/admin/newact');
  await titleField(page).fill('Só meu');
  await expect(kept(page)).toBeVisible();
  const other = await context.newPage();
  await open(other, '/logout');
  await expect(other).toHaveURL(`${site.url}/`);
  expect(await stored(other)).toEqual([]);
  await expect(page).toHaveURL(`${site.url}/`);
  expect(await stored(other)).toEqual([]);
});

test('another user is not offered the draft', { tag: '@full' }, async ({ page, context }) => {
  const bruno = await registerAdmin(site, users, 'Bruno Lima');
  await open(page, '/admin/newact');
  await titleField(page).fill('De Alice');
  await expect(kept(page)).toBeVisible();
  const next = await crash(page);
  await context.clearCookies();
  await signIn(next, site.url, bruno);
  await open(next, '/admin/newact');
  await expect(titleField(next)).toHaveValue('');
  await context.clearCookies();
  await signIn(next, site.url, users.admin);
  await open(next, '/admin/newact');
  await expect(next.getByRole('heading', { name: 'De Alice' })).toBeVisible();
});
