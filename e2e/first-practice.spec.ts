import { fillSignUp } from './account-forms.ts';
import { contentField, linkField, titleField } from './activity-form.ts';
import { expect, recordForeign, siteForTests, test } from './journey.ts';

const site = siteForTests();

test('an admin starts with an empty data folder and creates, edits and deletes an activity that visitors watch', async ({
  page,
  context,
  browser,
  watch,
}) => {
  await test.step('the link in the log makes the first account the admin', async () => {
    await page.goto(`${site.url}/register`);
    await fillSignUp(page, { name: 'Ana Clínica', email: 'ana@example.com', password: 'calmaria2025' });
    await page.getByLabel('Confirme a Senha').fill('calmaria2025');
    await page.getByRole('button', { name: 'Criar a conta' }).click();
    await expect(page).toHaveURL(`${site.url}/minha-area`);

    await page.goto(site.url + site.firstAdminPath());
    await page.getByRole('button', { name: 'Tornar esta conta administradora' }).click();
    await expect(page).toHaveURL(`${site.url}/admin`);
    await expect(page.getByRole('link', { name: /Usuários 1/ })).toBeVisible();
  });

  await test.step('a new mind activity with a link to YouTube', async () => {
    await page.getByRole('link', { name: 'Nova Act' }).click();
    await titleField(page).fill('Respirar à janela');
    await linkField(page).fill('https://youtu.be/aBcDeFgHiJ0?si=x');
    await expect(page.getByText('Link do YouTube reconhecido. Assista para conferir.')).toBeVisible();
    await contentField(page).fill('Abra a janela.\n\nNote o ar que entra.');
    await page.getByLabel('Mind').check();
    await page.getByRole('button', { name: 'Criar prática' }).click();
    await expect(page.getByText('act created')).toBeVisible();
    await expect(page).toHaveURL(`${site.url}/admin/mind`);
    await expect(page.getByRole('button', { name: 'Respirar à janela', exact: true })).toBeVisible();
  });

  await test.step('a visitor sees it, and no request goes to YouTube before play', async () => {
    const visitor = await browser.newContext({ reducedMotion: 'reduce' });
    const visit = await visitor.newPage();
    const foreign: string[] = [];
    recordForeign(visitor, foreign);
    await visit.goto(`${site.url}/practices`);
    await expect(visit.getByRole('heading', { name: 'Respirar à janela' })).toBeVisible();
    await expect(visit.getByRole('link', { name: /YouTube/ }).first()).toHaveAttribute(
      'href',
      /^https:\/\/www\.youtube\.com\/watch\?v=aBcDeFgHiJ0$/,
    );
    await expect(visit.locator('iframe')).toHaveCount(0);
    await visit.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    expect(await visitor.cookies()).toEqual([]);
    expect(foreign).toEqual([]);

    await visit.getByRole('button', { name: /Assistir.*Respirar à janela/ }).click();
    await expect(visit.locator('iframe')).toHaveAttribute(
      'src',
      /^https:\/\/www\.youtube-nocookie\.com\/embed\/aBcDeFgHiJ0/,
    );
    await expect(visit.locator('iframe')).toHaveAttribute('title', /Respirar à janela/);
    await expect.poll(() => foreign.map((url) => new URL(url).host)).toEqual(['www.youtube-nocookie.com']);
    await visitor.close();
  });

  await test.step('a click on its title shows title and content', async () => {
    await page.getByRole('button', { name: 'Respirar à janela', exact: true }).click();
    const reader = page.getByRole('dialog', { name: 'Respirar à janela' });
    await expect(reader).toContainText('Note o ar que entra.');
    await page.keyboard.press('Escape');
    await expect(reader).toBeHidden();
  });

  await test.step('it is edited; another axis moves it to the other list', async () => {
    await page.getByRole('link', { name: 'Editar Respirar à janela' }).click();
    await expect(page).toHaveURL(/\/admin\/editact/);
    await expect(contentField(page)).toHaveValue('Abra a janela.\n\nNote o ar que entra.');
    await titleField(page).fill('Respirar na varanda');
    await page.getByLabel('Lazer').check();
    await page.getByRole('button', { name: 'Salvar' }).click();
    await expect(page.getByText('post updated')).toBeVisible();
    await expect(page).toHaveURL(`${site.url}/admin/values`);
    await expect(page.getByRole('button', { name: 'Respirar na varanda', exact: true })).toBeVisible();
  });

  await test.step('the edit page survives a reload', async () => {
    await page.getByRole('link', { name: 'Editar Respirar na varanda' }).click();
    await expect(titleField(page)).toHaveValue('Respirar na varanda');
    const shared = page.url();
    const other = await context.newPage();
    await other.goto(shared);
    await expect(titleField(other)).toHaveValue('Respirar na varanda');
    await other.close();
    await page.goto(`${site.url}/admin/values`);
  });

  await test.step('it is deleted after confirmation, and an alert appears', async () => {
    await page.getByRole('button', { name: 'Deletar Respirar na varanda' }).click();
    const question = page.getByRole('dialog', { name: 'Delete Respirar na varanda?' });
    await question.getByRole('button', { name: 'Deletar' }).click();
    await expect(page.getByText('Respirar na varanda deleted')).toBeVisible();
    await expect(page.getByText('Nenhuma prática ainda.')).toBeVisible();
    await page.reload();
    await expect(page.getByText('Nenhuma prática ainda.')).toBeVisible();
  });

  expect(watch.foreign).toEqual([]);
});
