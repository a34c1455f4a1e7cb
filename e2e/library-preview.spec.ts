import type { Page } from '@playwright/test';
import { paths } from '#contract/paths.ts';
import { practicePath } from '#contract/practices/path.ts';
import { contentField, linkField, titleField } from './activity-form.ts';
import { expect, signIn, siteWithUsers, test } from './journey.ts';

const { site, users } = siteWithUsers();

const preview = (page: Page) => page.getByRole('dialog', { name: 'Como o paciente vê' });
const openPreview = (page: Page) => page.getByRole('button', { name: 'Ver como paciente' }).press('Enter');
const card = (page: Page, title: string) => preview(page).getByRole('article', { name: title });

test.beforeEach(({ page }) => signIn(page, site.url, users.admin));

for (const width of [360, 1280])
  test(`at ${width} px, the preview shows a new activity as visitors will see it, and sends nothing`, {
    tag: '@full',
  }, async ({ page }) => {
    await page.setViewportSize({ width, height: 760 });
    let limitsRead = 0;
    page.on('requestfinished', (request) => {
      if (request.url().endsWith(paths.auth.storageBearer)) limitsRead += 1;
    });
    await page.goto(`${site.url}/admin/newact`);
    // The picture field and the sound field each request the size limit.
    await expect.poll(() => limitsRead).toBe(2);
    await titleField(page).fill(`Ouvir a chuva ${width}`);
    await openPreview(page);
    await expect(preview(page).getByText('Eixo: Escolha um eixo.')).toBeVisible();
    await expect(preview(page).getByText('Conteúdo: Preencha este campo.')).toBeVisible();
    await expect(preview(page).getByRole('article')).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'Ver como paciente' })).toBeFocused();

    await page.getByLabel('Mind').check();
    await linkField(page).fill('https://youtu.be/aBcDeFgHiJ0');
    await contentField(page).fill(`Sente.${' Ouça.'.repeat(40)}\n\n- Note um som\n- Note outro`);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.method()} ${request.url()}`));
    await openPreview(page);
    const shown = card(page, `Ouvir a chuva ${width}`);
    await expect(shown.getByText(/^Sente\..* Ouça…$/)).toBeVisible();
    const whole = preview(page).getByRole('region', { name: 'Na página dela, o texto inteiro' });
    await expect(whole.getByRole('listitem').filter({ hasText: 'Note outro' })).toBeVisible();
    await expect(shown.getByRole('button', { name: /^Assistir/ })).toBeVisible();
    await expect(preview(page).getByText('Nada disto foi salvo ainda.')).toBeVisible();
    const phone = (await shown.boundingBox())?.width ?? 0;
    expect(phone).toBeLessThanOrEqual(320);

    await preview(page).getByRole('button', { name: 'Computador' }).press('Enter');
    await expect(preview(page).getByRole('button', { name: 'Computador' })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    // The card is as wide as one of the three columns on the site.
    const columnWidth = (await shown.boundingBox())?.width ?? 0;
    expect(columnWidth).toBeGreaterThan(280);
    expect(columnWidth).toBeLessThan(380);
    expect(sent.filter((one) => !one.startsWith('GET ') || one.includes('/api/'))).toEqual([]);
    await preview(page).getByRole('button', { name: 'Voltar ao formulário' }).press('Enter');
    await expect(titleField(page)).toHaveValue(`Ouvir a chuva ${width}`);
    const { activities } = await users.admin.client.documents.getActivities('mindActsList');
    expect(activities.map(({ title }) => title)).not.toContain(`Ouvir a chuva ${width}`);
  });

test('the preview of an edit shows what is typed, without links out of the form', { tag: '@full' }, async ({
  page,
}) => {
  const practice = await users.admin.client.documents.createActivity({
    ...{ axis: 'move', title: 'Andar', url: `${site.url}/practices`, content: 'Devagar.' },
    visibility: 'hidden',
  });
  await page.goto(`${site.url}/admin/editact?axis=move&id=${practice.id}`);
  await titleField(page).fill('Andar na rua');
  await page.getByLabel('Duração em minutos').fill('dez');
  await openPreview(page);
  await expect(preview(page).getByText('Duração em minutos: Escreva os minutos')).toBeVisible();
  await expect(card(page, 'Andar na rua').getByText('Devagar.')).toBeVisible();
  await expect(preview(page).getByText('só a administração vê')).toBeVisible();
  await expect(card(page, 'Andar na rua').getByRole('link')).toHaveCount(0);
});

test('the notice after a save leads to the page of the practice, unless it is hidden', {
  tag: '@full',
}, async ({ page }) => {
  await page.goto(`${site.url}/admin/newact?axis=nutri`);
  await titleField(page).fill('Água com calma');
  await page.getByLabel('Esta prática não tem vídeo').check();
  await contentField(page).fill('Beba um copo.');
  await page.getByRole('button', { name: 'Criar prática' }).press('Enter');
  await expect(page.getByText('act created')).toBeVisible();
  const [created] = (await users.admin.client.documents.getActivities('nutriActsList')).activities;
  expect(created?.title).toBe('Água com calma');
  if (!created) return;
  const link = page.getByRole('status').getByRole('link', { name: 'Ver no site' });
  await expect(link).toHaveAttribute('href', practicePath(created));
  expect(practicePath(created)).toMatch(/^\/practices\/[\w-]+\/agua-com-calma$/);
  await link.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Água com calma' })).toBeVisible();
  await page.goBack();

  const line = page.getByRole('article').filter({ hasText: 'Água com calma' });
  await expect(line.getByText(/^Alice Admin · \d+ .+, \d+h\d\d$/)).toBeVisible();
  await expect(line.getByText('Fora do site')).toHaveCount(0);
  await line.getByRole('link', { name: /^Editar/ }).press('Enter');
  await page.getByLabel('Duração em minutos').fill('4');
  await page.getByLabel('Cabeça acelerada').check();
  await page.getByLabel('Só na administração').check();
  await page.getByRole('button', { name: 'Salvar', exact: true }).press('Enter');
  await expect(page.getByText('Prática salva. Só a administração vê.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Ver no site' })).toHaveCount(0);
  await expect(line.getByText('Fora do site')).toBeVisible();
  await expect(line.getByText('Texto · 4 min')).toBeVisible();
  await expect(line.getByText('Cabeça acelerada')).toBeVisible();
});

test('a card keeps the name of its editor while texts load and the order changes', { tag: '@full' }, async ({
  page,
}) => {
  const { documents } = users.admin.client;
  for (const title of ['Um', 'Dois'])
    await documents.createActivity({
      ...{ axis: 'family', title, url: 'https://www.gov.br/saude/pt-br', content: 'Juntos.' },
    });
  const texts = page.waitForResponse(/\/valuesActsList\/items\?part=0$/);
  await page.goto(`${site.url}/admin/values`);
  await (await texts).finished();
  const names = page.getByRole('article').getByText(/^Alice Admin · /);
  await expect(names).toHaveCount(2);
  await page.getByRole('button', { name: 'Mover Dois' }).press('Enter');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Ordem salva.')).toBeVisible();
  await expect(page.getByRole('article').getByRole('heading')).toHaveText(['Dois', 'Um']);
  await expect(names).toHaveCount(2);
  // The link passes the activity and its text to the form, but not the name of its last editor.
  await page.getByRole('link', { name: 'Editar Dois' }).press('Enter');
  await expect(titleField(page)).toHaveValue('Dois');
});
