import type { Page } from '@playwright/test';
import { demoContent } from '#clinic/demo-content.ts';
import { fillSignIn } from './account-forms.ts';
import { pictureOf } from './files.ts';
import { expect, signIn, signInAnew, siteWithUsers, test } from './journey.ts';
import {
  changeSection,
  expectSaved,
  kept,
  openSection,
  preview,
  readSection,
  save,
  saveButton,
} from './site-editor.ts';

const { site, users } = siteWithUsers();

test.beforeEach(async ({ page }) => {
  await changeSection(users.admin, 'home', () => demoContent.home);
  await signIn(page, site.url, users.admin);
});

const sentence = (page: Page) => page.getByRole('textbox', { name: 'Frase 1' });
const recovered = (page: Page) => page.getByText(/^O que você digitou em .* está de volta\.$/);

/** The keys of the drafts in `localStorage`. */
const stored = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('acolhe:draft:')));

async function savedSentence() {
  return (await readSection(users.admin, 'home')).content.hero.lines[0];
}

async function type(page: Page, text: string) {
  await sentence(page).fill(text);
  await expect(kept(page)).toBeVisible();
}

test('unsaved text survives a reload and a closed tab, and belongs to its section', async ({
  page,
  context,
}) => {
  await openSection(page, site.url, 'home');
  await type(page, 'Antes de recarregar.');
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expect(recovered(page)).toBeVisible();
  await expect(sentence(page)).toHaveValue('Antes de recarregar.');
  await page.close({ runBeforeUnload: false });

  const next = await context.newPage();
  await openSection(next, site.url, 'questions');
  await expect(recovered(next)).toHaveCount(0);
  await openSection(next, site.url, 'home');
  await expect(recovered(next)).toBeVisible();
  await expect(preview(next).locator('h1')).toContainText('Antes de recarregar.');
  await save(next);
  expect(await savedSentence()).toBe('Antes de recarregar.');
  expect(await stored(next)).toEqual([]);
});

test('recovered text can be discarded; the saved draft can, too, after a question', { tag: '@full' }, async ({
  page,
}) => {
  await openSection(page, site.url, 'home');
  await type(page, 'Só um rascunho.');
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await page.getByRole('button', { name: 'Descartar', exact: true }).click();
  await expect(sentence(page)).toHaveValue(demoContent.home.hero.lines[0]);
  await expect.poll(() => stored(page)).toEqual([]);

  await page.getByRole('button', { name: 'Descartar rascunho' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Descartar' }).click();
  await expect(page.getByText('O rascunho voltou ao que está publicado.')).toBeVisible();
  await expect(sentence(page)).toHaveValue('Espaço para o que você sente.');
  await expect(page.getByText('Igual ao que está publicado.')).toBeVisible();
  expect((await readSection(users.admin, 'home')).changed).toBe(false);
});

test('after the session has ended, a save and a discard continue with a new sign-in', {
  tag: '@full',
}, async ({ page }) => {
  const { content: before } = await readSection(users.admin, 'home');
  await openSection(page, site.url, 'home');
  await type(page, 'A sessão acabou no meio.');
  const signInAgain = async () => {
    const dialog = page.getByRole('dialog', { name: 'Entre de novo' });
    await fillSignIn(page, users.admin);
    await dialog.getByRole('button', { name: 'Entrar e continuar' }).click();
    await expect(dialog).toBeHidden();
  };
  await page.context().clearCookies();
  await saveButton(page).click();
  await signInAgain();
  await expect(page.getByText('Rascunho salvo. O site ainda não mudou.')).toBeVisible();
  expect(await savedSentence()).toBe('A sessão acabou no meio.');

  await type(page, 'Isto vai embora.');
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Descartar rascunho' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Descartar' }).click();
  await signInAgain();
  await expect(page.getByText('O rascunho voltou ao que está publicado.')).toBeVisible();
  await expect(sentence(page)).not.toHaveValue(before.hero.lines[0]);
  expect((await readSection(users.admin, 'home')).changed).toBe(false);
});

test('without a network the text stays, and a later save works', { tag: '@full' }, async ({
  page,
  context,
}) => {
  await openSection(page, site.url, 'home');
  await type(page, 'Sem rede.');
  await context.setOffline(true);
  await saveButton(page).click();
  await expect(page.getByRole('alert')).toContainText('Sem conexão.');
  await expect(sentence(page)).toHaveValue('Sem rede.');
  await expect(kept(page)).toBeVisible();
  await context.setOffline(false);
  await save(page);
  expect(await savedSentence()).toBe('Sem rede.');
});

test('text that is typed while a slow save is under way stays; a second click saves nothing twice', {
  tag: '@full',
}, async ({ page }) => {
  await openSection(page, site.url, 'home');
  await type(page, 'Primeiro.');
  const answer = Promise.withResolvers<void>();
  let saves = 0;
  await page.route('**/api/site/draft/home', async (route) => {
    saves += 1;
    await answer.promise;
    await route.continue();
  });
  await saveButton(page).dblclick();
  await sentence(page).fill('Primeiro, e depois.');
  answer.resolve();
  await expect(page.getByText('Rascunho salvo. O site ainda não mudou.')).toBeVisible();
  await expect(sentence(page)).toHaveValue('Primeiro, e depois.');
  await expect(kept(page)).toBeVisible();
  expect(saves).toBe(1);
  expect(await savedSentence()).toBe('Primeiro.');
  await page.unroute('**/api/site/draft/home');
  await saveButton(page).click();
  await expect(page.getByText('Rascunho salvo. Falta publicar.')).toBeVisible();
  expect(await savedSentence()).toBe('Primeiro, e depois.');
});

test('signing out removes the drafts of the site', { tag: '@full' }, async ({ page, context }) => {
  await context.clearCookies();
  await signInAnew(page, site.url, users.admin);
  await openSection(page, site.url, 'home');
  await type(page, 'Só meu.');
  const other = await context.newPage();
  await other.goto(`${site.url}/logout`);
  await expect(page).toHaveURL(`${site.url}/`);
  expect(await stored(other)).toEqual([]);
});

test('drafts of the site and of an activity do not affect each other', { tag: '@full' }, async ({
  page,
  context,
}) => {
  await page.goto(`${site.url}/admin/newact`);
  await page.getByLabel('Título').fill('Ouvir a chuva');
  await expect(page.getByText('O rascunho fica neste aparelho')).toBeVisible();
  const other = await context.newPage();
  await openSection(other, site.url, 'home');
  await type(other, 'Duas coisas ao mesmo tempo.');
  await save(other);
  expect(await stored(other)).toHaveLength(1);
  await type(other, 'De novo.');
  expect(await stored(other)).toHaveLength(2);
  await page.getByLabel('Título').fill('');
  await expect.poll(() => stored(page)).toHaveLength(1);
  await other.close({ runBeforeUnload: false });
  await openSection(page, site.url, 'home');
  await expect(sentence(page)).toHaveValue('De novo.');
});

test('leaving with unsaved text or an unfinished upload asks first; back and forward do, too', {
  tag: '@full',
}, async ({ page }) => {
  await page.goto(`${site.url}/admin/site`);
  await page.getByRole('main').getByRole('link', { name: 'Página inicial' }).click();
  await type(page, 'Ainda não.');
  const question = page.getByRole('dialog', { name: 'Sair sem salvar?' });
  await page.goBack();
  await expect(question).toContainText('Um rascunho fica neste aparelho');
  await question.getByRole('button', { name: 'Continuar editando' }).click();
  await expect(sentence(page)).toHaveValue('Ainda não.');
  await save(page);

  const line = Promise.withResolvers<void>();
  await page.route('**/api/storage/**', async (route) => {
    await line.promise;
    await route.continue().catch(() => {});
  });
  const portrait = page
    .getByRole('group', { name: 'Retrato', exact: true })
    .getByRole('group', { name: 'Imagem', exact: true });
  await portrait
    .locator('input[type="file"]')
    .setInputFiles({ name: 'nota.txt', mimeType: 'text/plain', buffer: Buffer.from('nada') });
  await expect(portrait.getByRole('alert')).toBeVisible();
  await portrait.locator('input[type="file"]').setInputFiles(await pictureOf(600));
  await expect(page.getByRole('button', { name: 'Aguarde o envio' }).or(saveButton(page))).toBeDisabled();
  await page.getByRole('navigation', { name: 'Administração' }).getByRole('link', { name: 'Início' }).click();
  await expect(question).toContainText('O envio do arquivo ainda não terminou.');
  await question.getByRole('button', { name: 'Continuar editando' }).click();
  await portrait.getByRole('button', { name: 'Cancelar' }).click();
  line.resolve();
  await expect(saveButton(page)).toBeEnabled();
  await expect(page.getByText('Rascunho salvo. Falta publicar.')).toBeVisible();
});

test('text that no draft may have is refused beside its field, and nothing is lost', {
  tag: '@full',
}, async ({ page }) => {
  await openSection(page, site.url, 'home');
  const long = 'a'.repeat(10_000);
  await sentence(page).fill(long);
  await saveButton(page).click();
  const summary = page.getByRole('region', { name: 'Confira este campo' });
  await expect(summary).toBeFocused();
  await summary.getByRole('link').click();
  await expect(sentence(page)).toBeFocused();
  await expect(sentence(page)).toHaveValue(long);

  const hostile = '<script>document.title="x"</script> 👩‍⚕️ שלום "&lt;';
  await sentence(page).fill(hostile);
  await expect(preview(page).locator('h1')).toContainText(hostile);
  await save(page);
  expect(await savedSentence()).toBe(hostile);
  await sentence(page).fill('   ');
  await save(page);
  await expect(page.getByText('Falta corrigir 1 campo antes de publicar.')).toBeVisible();
  await expect(page.getByText('Falta a primeira frase')).toBeVisible();
});

test('the first press on the save button saves, even if it leaves a field with an error', {
  tag: '@full',
}, async ({ page }) => {
  await openSection(page, site.url, 'identity');
  const email = page.getByRole('textbox', { name: 'E-mail' }).last();
  await email.fill('sem arroba');
  const button = await saveButton(page).boundingBox();
  if (!button) throw new Error('The save button is not visible.');
  await page.mouse.move(button.x + button.width / 2, button.y + 4);
  await page.mouse.down();
  // A person's press lasts long enough for the page to show a message.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.mouse.up();
  await expectSaved(page);
  await expect(email).toHaveAccessibleDescription(/e-mail/);
});
