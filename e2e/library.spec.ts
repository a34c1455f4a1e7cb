import type { Locator, Page } from '@playwright/test';
import { identity } from '#clinic/identity.ts';
import type { ActivityInput } from '#contract/activity.ts';
import { passwordField } from './account-forms.ts';
import { contentField, titleField } from './activity-form.ts';
import { expect, signIn, siteWithUsers, test } from './journey.ts';
import { printedPages } from './printed-pages.ts';

const { site, users } = siteWithUsers();

function createPractice(title: string) {
  const { documents } = users.admin.client;
  return documents.createActivity({
    axis: 'move',
    title,
    url: 'https://www.gov.br/saude/pt-br',
    content: 'Ponha os pés no chão.',
  });
}

async function openEditor(page: Page, title: string) {
  await signIn(page, site.url, users.admin);
  await page.goto(`${site.url}/admin/move`);
  await page.getByRole('link', { name: `Editar ${title}` }).click();
  await expect(titleField(page)).toHaveValue(title);
}

test('typed text survives an expired session: after sign-in on the same page it can be saved', async ({
  page,
  context,
}) => {
  await createPractice('Girar os punhos');
  await openEditor(page, 'Girar os punhos');
  await contentField(page).fill('Dez voltas para cada lado.');
  await context.clearCookies();
  await page.getByRole('button', { name: 'Salvar' }).click();

  const question = page.getByRole('dialog', { name: 'Entre de novo' });
  await expect(question.getByLabel('Email')).toHaveValue(users.admin.email);
  await passwordField(question).fill(users.admin.password);
  await question.getByRole('button', { name: 'Entrar e continuar' }).click();
  await expect(page.getByText('post updated')).toBeVisible();
  await page.getByRole('button', { name: 'Girar os punhos', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('Dez voltas para cada lado.');
});

test('typed text survives a failed save', async ({ page }) => {
  await createPractice('Soltar o maxilar');
  await openEditor(page, 'Soltar o maxilar');
  await contentField(page).fill('Boceje se quiser.');
  await page.route('**/api/documents/**', (route) => route.abort());
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByRole('alert')).toContainText('Sem conexão.');
  await expect(contentField(page)).toHaveValue('Boceje se quiser.');
  await page.unroute('**/api/documents/**');
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByText('post updated')).toBeVisible();
});

test('the form has an input for every field of an activity', { tag: '@full' }, async ({ page }) => {
  await signIn(page, site.url, users.admin);
  await page.goto(`${site.url}/admin/newact`);
  const inputs: Record<keyof ActivityInput, Locator> = {
    axis: page.getByRole('group', { name: 'Eixo' }),
    title: page.getByRole('textbox', { name: 'Título' }),
    url: page.getByRole('textbox', { name: 'Link do vídeo' }),
    content: page.getByRole('textbox', { name: 'Conteúdo' }),
    image: page.getByRole('button', { name: 'Imagem' }),
    audio: page.getByRole('button', { name: 'Áudio' }),
    minutes: page.getByRole('textbox', { name: 'Duração em minutos' }),
    night: page.getByRole('group', { name: 'Para a noite' }),
    needs: page.getByRole('group', { name: 'Ajuda com' }),
    visibility: page.getByRole('group', { name: 'Onde aparece' }),
  };
  for (const input of Object.values(inputs)) await expect(input).toBeVisible();
});

test('the forms ask for title, link, content and axis', async ({ page }) => {
  await signIn(page, site.url, users.admin);
  await page.goto(`${site.url}/admin/newact`);
  await expect(contentField(page)).toHaveAttribute('rows', '20');
  await page.getByRole('button', { name: 'Criar prática' }).click();
  const problems = page
    .getByRole('region')
    .filter({ has: page.getByRole('link', { name: 'Preencha este campo.' }) });
  await expect(problems).toBeFocused();
  await expect(problems.getByRole('link')).toHaveCount(4);
  await expect(page).toHaveURL(`${site.url}/admin/newact`);
});

test('a text shows its paragraphs, lists and links, and runs no code', async ({ page }) => {
  const hostile = '<img src=x onerror=alert(1)> <script>alert(1)</script> javascript:alert(1)';
  const content = `Leve:\n- água\n- pão\n\n1. Sente\n2. Respire\n\nVeja https://www.gov.br/saude.\n\n${hostile}`;
  await users.admin.client.documents.createActivity({
    ...{ axis: 'mind', title: 'Com listas', url: 'https://www.gov.br/saude/pt-br', content },
  });
  await page.goto(`${site.url}/practices`);
  const practice = page.getByRole('article', { name: 'Com listas' });
  await expect(practice.locator('ul li').filter({ hasText: /^(água|pão)$/ })).toHaveCount(2);
  await expect(practice.locator('ol li')).toHaveText(['Sente', 'Respire']);
  const link = practice.getByRole('link', { name: 'https://www.gov.br/saude (abre em outra aba)' });
  await expect(link).toHaveAttribute('href', 'https://www.gov.br/saude');
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer');
  await expect(practice).toContainText(hostile);
  await expect(practice.locator('script, img[src="x"]')).toHaveCount(0);
});

test('the buttons above the text make words bold, and lists and links, by keyboard and undoable', {
  tag: '@full',
}, async ({ page }) => {
  await signIn(page, site.url, users.admin);
  await page.goto(`${site.url}/admin/newact`);
  const content = contentField(page);
  // A double click on Windows also selects the space after the words.
  await content.fill('Note o ar agora.');
  await content.evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(5, 10));
  const press = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter');
  await press('Negrito');
  await expect(content).toHaveValue('Note **o ar** agora.');
  await press('Itálico');
  await expect(content).toHaveValue('Note _**o ar**_ agora.');
  await page.keyboard.press('Control+z');
  await expect(content).toHaveValue('Note **o ar** agora.');
  await content.press('Control+End');
  await page.keyboard.press('Enter');
  await press('Link');
  await page.keyboard.type('https://cvv.org.br/');
  await expect(content).toHaveValue('Note **o ar** agora.\n[palavras](https://cvv.org.br/)');
  await content.press('Control+End');
  await page.keyboard.type('\n\num\ndois');
  await content.evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(54, 61));
  await press('Lista numerada');
  await expect(content).toHaveValue(/\n\n1\. um\n2\. dois$/);
});

test('after saving, the list shows where the practice is', async ({ page }) => {
  await users.admin.client.documents.createActivity({
    ...{ axis: 'nutri', title: 'Antes', url: 'https://www.gov.br/saude/pt-br', content: 'Antes.' },
  });
  for (let index = 0; index < 15; index += 1)
    await users.admin.client.documents.createActivity({
      ...{
        axis: 'nutri',
        title: `Prática ${index}`,
        url: 'https://www.gov.br/saude/pt-br',
        content: 'Mais.',
      },
    });
  await signIn(page, site.url, users.admin);
  await page.goto(`${site.url}/admin/nutri`);
  await page.getByRole('link', { name: 'Editar Prática 14' }).click();
  await expect(page.getByRole('heading', { name: 'Editar prática' })).toBeVisible();
  await titleField(page).fill('A última');
  await page.getByRole('button', { name: 'Salvar', exact: true }).click();
  await expect(page.getByRole('button', { name: 'A última', exact: true })).toBeFocused();
  await expect(page.getByRole('button', { name: 'A última', exact: true })).toBeInViewport();
});

test('a reload of the edit page shows the saved version', { tag: '@full' }, async ({ page }) => {
  const practice = await createPractice('Balançar os braços');
  await openEditor(page, 'Balançar os braços');
  const { id: _, createdAt: __, updatedAt: ___, audioSeconds: ____, ...input } = practice;
  await users.admin.client.documents.updateActivity(practice, { ...input, title: 'Balançar uma perna' });
  await page.reload();
  await expect(titleField(page)).toHaveValue('Balançar uma perna');
});

test('the search finds title and content, and ignores accents and case', async ({ page }) => {
  await createPractice('Respiração ao ar livre');
  await signIn(page, site.url, users.admin);
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

test('the axes of a new form count as invalid only after a failed save', { tag: '@full' }, async ({
  page,
}) => {
  await signIn(page, site.url, users.admin);
  await page.goto(`${site.url}/admin/newact`);
  await expect(page.getByRole('radio').first()).toBeVisible();
  const invalid = async () => {
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    const radios = nodes.filter(({ role }) => role?.value === 'radio');
    // Six axes, four options for the night, two for the visibility.
    expect(radios).toHaveLength(12);
    return radios.filter(({ properties = [] }) =>
      properties.some(({ name, value }) => name === 'invalid' && value.value !== 'false'),
    ).length;
  };
  expect(await invalid()).toBe(0);
  await page.getByRole('button', { name: 'Criar prática' }).click();
  await expect(page.getByRole('link', { name: /Escolha um eixo\./ })).toBeVisible();
  expect(await invalid()).toBe(6);
});

test('an opened practice prints alone, with the name of the clinic', { tag: '@full' }, async ({ page }) => {
  await users.admin.client.documents.createActivity({
    axis: 'move',
    title: 'Para imprimir',
    url: 'https://www.gov.br/saude/pt-br',
    content: 'Primeiro.\n\nDepois.',
  });
  await signIn(page, site.url, users.admin);
  await page.goto(`${site.url}/admin/move`);
  await page.getByRole('button', { name: 'Para imprimir', exact: true }).click();
  const reader = page.getByRole('dialog', { name: 'Para imprimir' });
  await expect(reader.getByRole('link', { name: /^Abrir em gov\.br/ })).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(reader.getByText('Depois.')).toBeVisible();
  await expect(reader.getByText(identity.shortName)).toBeVisible();
  for (const role of ['button', 'navigation', 'article'] as const)
    await expect(page.getByRole(role).filter({ visible: true })).toHaveCount(0);
  expect(await printedPages(page)).toBe(1);
});
