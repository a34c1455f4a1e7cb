import type { Page } from '@playwright/test';
import { expect, signIn, siteWithPeople, test } from './journey.ts';

const { site, people } = siteWithPeople();

function createPractice(title: string) {
  const { documents } = people.admin.client;
  return documents.createActivity({
    axis: 'move',
    title,
    url: 'https://www.gov.br/saude/pt-br',
    content: 'Ponha os pés no chão.',
  });
}

async function openEditor(page: Page, title: string) {
  await signIn(page, site.url, people.admin);
  await page.goto(`${site.url}/admin/move`);
  await page.getByRole('link', { name: `Editar ${title}` }).click();
  await expect(page.getByLabel('Título')).toHaveValue(title);
}

test('what was typed survives an expired session: sign in over the page and it is saved', async ({
  page,
  context,
}) => {
  await createPractice('Girar os punhos');
  await openEditor(page, 'Girar os punhos');
  await page.getByLabel('Conteúdo').fill('Dez voltas para cada lado.');
  await context.clearCookies();
  await page.getByRole('button', { name: 'Salvar' }).click();

  const question = page.getByRole('dialog', { name: 'Entre de novo' });
  await expect(question.getByLabel('Email')).toHaveValue(people.admin.email);
  await question.getByLabel('Senha', { exact: true }).fill(people.admin.password);
  await question.getByRole('button', { name: 'Entrar e continuar' }).click();
  await expect(page.getByText('post updated')).toBeVisible();
  await page.getByRole('button', { name: 'Girar os punhos', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('Dez voltas para cada lado.');
});

test('what was typed survives a failed save', async ({ page }) => {
  await createPractice('Soltar o maxilar');
  await openEditor(page, 'Soltar o maxilar');
  await page.getByLabel('Conteúdo').fill('Boceje se quiser.');
  await page.route('**/api/documents/**', (route) => route.abort());
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByRole('alert')).toContainText('Sem conexão.');
  await expect(page.getByLabel('Conteúdo')).toHaveValue('Boceje se quiser.');
  await page.unroute('**/api/documents/**');
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByText('post updated')).toBeVisible();
});

test('the forms ask for title, link, content and axis', async ({ page }) => {
  await signIn(page, site.url, people.admin);
  await page.goto(`${site.url}/admin/newact`);
  await expect(page.getByLabel('Conteúdo')).toHaveAttribute('rows', '20');
  await page.getByRole('button', { name: 'Criar prática' }).click();
  const problems = page
    .getByRole('region')
    .filter({ has: page.getByRole('link', { name: 'Preencha este campo.' }) });
  await expect(problems).toBeFocused();
  await expect(problems.getByRole('link')).toHaveCount(4);
  await expect(page).toHaveURL(`${site.url}/admin/newact`);
});

test('the search finds by title and content, whatever the accents and the case', async ({ page }) => {
  await createPractice('Respiração ao ar livre');
  await signIn(page, site.url, people.admin);
  await page.goto(`${site.url}/admin/move`);
  const cards = page.getByRole('article');
  await expect(cards.first()).toBeVisible();
  await page.getByRole('searchbox').fill('RESPIRACAO');
  await expect(cards).toHaveCount(1);
  await expect(cards).toContainText('Respiração ao ar livre');
  await page.getByRole('searchbox').fill('pes no chao');
  await expect(cards.first()).toBeVisible();
  await page.getByRole('searchbox').fill('nada disso existe');
  await expect(cards).toHaveCount(0);
});
