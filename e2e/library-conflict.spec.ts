import type { Browser, Page } from '@playwright/test';
import type { Activity } from '#contract/activity.ts';
import { contentField, titleField } from './activity-form.ts';
import { expect, signIn, siteWithUsers, test } from './journey.ts';
import { registerAdmin } from './site.ts';

const { site, users } = siteWithUsers();

const first = 'Sente-se.\n\nNote o ar que entra.\n\nNote o ar que sai.';

const create = (title: string) =>
  users.admin.client.documents.createActivity({
    axis: 'move',
    title,
    url: 'https://youtu.be/aBcDeFgHiJ0',
    content: first,
  });

const read = async ({ axis, id }: Activity) => users.admin.client.documents.findActivity({ axis, id });

const addressOf = ({ axis, id }: Activity) => `${site.url}/admin/editact?axis=${axis}&id=${id}`;

async function openEditor(page: Page, practice: Activity) {
  await signIn(page, site.url, users.admin);
  await page.goto(addressOf(practice));
  await expect(titleField(page)).toHaveValue(practice.title);
}

/** Opens the activity in another browser context, with a new session. */
async function otherEditor(browser: Browser, practice: Activity) {
  const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  await openEditor(page, practice);
  return page;
}

const save = (page: Page) => page.getByRole('button', { name: 'Salvar', exact: true }).click();
const conflict = (page: Page) =>
  page.getByRole('heading', { name: 'Alguém salvou esta prática antes de você' });
const both = (page: Page, field: string) => page.getByRole('group', { name: field, exact: true });

test('two browsers edit one activity: the second sees both versions, and no change is lost', async ({
  page,
  browser,
}) => {
  const practice = await create('Respirar em pé');
  await openEditor(page, practice);
  const other = await otherEditor(browser, practice);

  await titleField(other).fill('Respirar na fila');
  await contentField(other).fill(first.replace('Sente-se.', 'Fique em pé.'));
  await save(other);
  await expect(other.getByText('post updated')).toBeVisible();

  await contentField(page).fill(`${first}\n\nAbra os olhos.`);
  await page.getByLabel('Lazer').check();
  await save(page);
  await expect(conflict(page)).toBeFocused();

  // If only one admin has changed a field, that admin's version is preselected.
  await expect(both(page, 'Título').getByRole('radio', { name: 'A salva' })).toBeChecked();
  await expect(both(page, 'Título')).toContainText('Só a outra pessoa mudou.');
  await expect(both(page, 'Eixo').getByRole('radio', { name: 'A sua' })).toBeChecked();
  const content = both(page, 'Conteúdo');
  await expect(content).toContainText('As duas pessoas mudaram.');
  await expect(content.locator('mark')).toHaveText(['Sente-se.', 'Abra os olhos.', 'Fique em pé.']);
  await expect(content.getByRole('radio', { name: 'As duas juntas' })).toBeChecked();
  const merged = 'Fique em pé.\n\nNote o ar que entra.\n\nNote o ar que sai.\n\nAbra os olhos.';
  await expect(content.getByRole('textbox', { name: 'As duas juntas' })).toHaveValue(merged);

  await page.getByRole('button', { name: 'Salvar o que escolhi' }).click();
  await expect(page.getByText('post updated')).toBeVisible();
  const saved = await read(practice);
  expect(saved).toMatchObject({ title: 'Respirar na fila', axis: 'fun', content: merged });
  await other.context().close();
});

test('when both changed the same line neither version is preselected, and the name and time of the other admin are shown', {
  tag: '@full',
}, async ({ page }) => {
  const practice = await create('Alongar o pescoço');
  await openEditor(page, practice);
  await titleField(page).fill('Alongar o pescoço devagar');
  await contentField(page).fill(first.replace('Sente-se.', 'Sente-se na cama.'));
  const bruno = await registerAdmin(site, users, 'Bruno Lima');
  await bruno.client.documents.updateActivity(practice, {
    ...{ axis: practice.axis, url: practice.url, title: 'Alongar os ombros' },
    content: first.replace('Sente-se.', 'Sente-se no chão.'),
  });
  await save(page);
  await expect(conflict(page)).toBeFocused();
  await expect(page.getByText(/^Salva por Bruno Lima em \d+ \S+ \d{4}, \d+h\d\d\.$/)).toBeVisible();

  const [title, content] = [both(page, 'Título'), both(page, 'Conteúdo')];
  for (const field of [title, content]) {
    for (const radio of await field.getByRole('radio').all()) await expect(radio).not.toBeChecked();
  }
  await expect(title.locator('mark')).toHaveText(['o pescoço devagar', 'os ombros']);
  await expect(content.locator('mark')).toHaveText(['na cama.', 'no chão.']);
  await expect(content).toContainText('Vocês mudaram a mesma linha');

  const finish = page.getByRole('button', { name: 'Salvar o que escolhi' });
  await finish.click();
  await expect(page.getByRole('alert')).toContainText('Falta escolher uma versão: Título, Conteúdo.');
  await expect(title.getByRole('radio', { name: 'A sua' })).toBeFocused();
  await title.getByRole('radio', { name: 'A salva' }).check();
  await page.getByRole('button', { name: 'Continuar editando' }).click();
  // The next save asks again about each field without a choice, so that no change is overwritten silently.
  await expect(titleField(page)).toHaveValue('Alongar os ombros');
  await expect(contentField(page)).toHaveValue(first.replace('Sente-se.', 'Sente-se na cama.'));
  await save(page);
  await expect(conflict(page)).toBeFocused();
  await expect(title).toHaveCount(0);
  await content.getByRole('radio', { name: 'A sua' }).check();
  await finish.click();
  await expect(page.getByText('post updated')).toBeVisible();
  expect(await read(practice)).toMatchObject({
    title: 'Alongar os ombros',
    content: first.replace('Sente-se.', 'Sente-se na cama.'),
  });
});

test('a whole version can be chosen, and the admin’s own version can be restored', { tag: '@full' }, async ({
  page,
}) => {
  const practice = await create('Girar os ombros');
  await openEditor(page, practice);
  await titleField(page).fill('Meu título');
  await contentField(page).fill('Meu texto.');
  await users.admin.client.documents.updateActivity(practice, {
    ...{ axis: practice.axis, url: practice.url },
    ...{ title: 'Título da outra pessoa', content: 'Texto da outra pessoa.' },
  });
  await save(page);
  await page.getByRole('button', { name: 'Ficar com a versão salva' }).click();
  await page.getByRole('button', { name: 'Continuar editando' }).click();
  await expect(titleField(page)).toHaveValue('Título da outra pessoa');
  await expect(contentField(page)).toHaveValue('Texto da outra pessoa.');
  await page.getByRole('button', { name: 'Voltar à minha versão' }).click();
  await expect(titleField(page)).toHaveValue('Meu título');
  await expect(contentField(page)).toHaveValue('Meu texto.');
  await save(page);
  await expect(page.getByText('post updated')).toBeVisible();
  expect(await read(practice)).toMatchObject({ title: 'Meu título', content: 'Meu texto.' });
});

test('with the keyboard alone a version of each field is chosen and saved', { tag: '@full' }, async ({
  page,
}) => {
  const practice = await create('Soltar as mãos');
  await openEditor(page, practice);
  await titleField(page).fill('Soltar as duas mãos');
  await users.admin.client.documents.updateActivity(practice, {
    ...{ axis: practice.axis, url: practice.url, content: first },
    title: 'Soltar os dedos',
  });
  await titleField(page).press('Enter');
  await expect(conflict(page)).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(both(page, 'Título').getByRole('radio', { name: 'A sua' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(both(page, 'Título').getByRole('radio', { name: 'A salva' })).toBeChecked();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByText('post updated')).toBeVisible();
  expect(await read(practice)).toMatchObject({ title: 'Soltar as duas mãos' });
});

test('an edit of an activity that another admin moved or deleted is not lost', { tag: '@full' }, async ({
  page,
}) => {
  const practice = await create('Balançar');
  const { documents } = users.admin.client;
  await openEditor(page, practice);
  await titleField(page).fill('Balançar devagar');
  const { id: _, createdAt: __, updatedAt: ___, audioSeconds: ____, ...input } = practice;
  const moved = await documents.updateActivity(practice, { ...input, axis: 'nutri' });
  await save(page);
  await expect(both(page, 'Eixo').getByRole('radio', { name: 'A salva' })).toBeChecked();
  await page.getByRole('button', { name: 'Continuar editando' }).click();

  await documents.deleteActivity(moved);
  await save(page);
  await expect(page.getByText('Alguém deletou esta prática enquanto você editava.')).toBeVisible();
  await expect(titleField(page)).toHaveValue('Balançar devagar');
  await page.getByRole('button', { name: 'Trazer de volta e salvar' }).click();
  await expect(page).toHaveURL(`${site.url}/admin/nutri`);
  expect(await read(practice)).toMatchObject({ title: 'Balançar devagar', axis: 'nutri', id: practice.id });
});

test('a shared link finds a moved activity, and reports a deleted one', { tag: '@full' }, async ({
  page,
}) => {
  const practice = await create('Pular');
  const { id: _, createdAt: __, updatedAt: ___, audioSeconds: ____, ...input } = practice;
  const moved = await users.admin.client.documents.updateActivity(practice, { ...input, axis: 'career' });
  await openEditor(page, practice);
  await expect(page.getByLabel('Carreira')).toBeChecked();
  await users.admin.client.documents.deleteActivity(moved);
  await page.reload();
  await expect(page.getByText('Esta prática não está mais aqui.')).toBeVisible();
});
