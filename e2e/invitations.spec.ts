import type { Page } from '@playwright/test';
import { sendSignIn } from './account-forms.ts';
import { expect, signIn, signInAnew, siteWithUsers, test } from './journey.ts';
import { registerAdmin } from './site.ts';

const { site, users } = siteWithUsers();

const phone = { width: 360, height: 740 };
const menuButton = (page: Page) => page.getByRole('button', { name: /^Menu da administração/ });

test('an admin invites an editor, who creates an account, drafts a text and cannot publish it', async ({
  page,
  browser,
}) => {
  await page.setViewportSize(phone);
  await signIn(page, site.url, users.admin);
  await page.goto(`${site.url}/admin`);
  await menuButton(page).click();
  await page.getByRole('link', { name: 'Novo Usuário' }).click();
  await expect(page.getByRole('heading', { name: 'Convidar uma pessoa' })).toBeVisible();
  await expect(page.getByText('Nenhum convite espera resposta.')).toBeVisible();
  await page.getByLabel('Email').fill('edite@example.com');
  await page.getByRole('radio', { name: 'Edição' }).check();
  await page.getByLabel('Uma frase para o e-mail').fill('Venha escrever conosco.');
  await page.getByRole('button', { name: 'Enviar o convite' }).click();
  await expect(
    page.getByText('O convite para edite@example.com está na pasta outbox do servidor.'),
  ).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'edite@example.com' })).toContainText('Edição.');
  await expect(page.getByLabel('Email')).toHaveValue('');
  const link = await site.mailedLink('/convite');
  expect(await page.content()).not.toContain(link.split('#')[1]);

  const editor = await (await browser.newContext({ viewport: phone })).newPage();
  await editor.goto(link);
  await expect(editor.getByText('O seu papel: Edição.')).toBeVisible();
  await editor.getByLabel('Nome completo').fill('Edite Edição');
  await editor.getByLabel('Senha').fill('escrita2025x');
  await editor.getByRole('button', { name: 'Criar a conta e aceitar' }).click();
  await expect(editor).toHaveURL(`${site.url}/admin`);
  await expect(editor.getByRole('heading', { name: 'Início', level: 1 })).toBeVisible();
  await expect(
    editor.getByRole('heading', { name: 'Últimas mudanças' }).or(editor.getByText('Primeiros passos')),
  ).toBeVisible();
  await expect(editor.getByRole('heading', { name: 'Servidor' })).toHaveCount(0);
  await menuButton(editor).click();
  const drawer = editor.getByRole('dialog', { name: 'Menu da administração' });
  await expect(drawer.getByRole('link', { name: 'Site', exact: true })).toBeVisible();
  await expect(drawer.getByRole('link', { name: 'Usuários' })).toHaveCount(0);
  await expect(drawer.getByRole('link', { name: 'Novo Usuário' })).toHaveCount(0);
  await drawer.getByRole('link', { name: 'Site', exact: true }).click();

  await expect(editor.getByText('A administração revê e publica.')).toBeVisible();
  await expect(editor.getByRole('link', { name: 'Publicar' })).toHaveCount(0);
  const sections = editor.getByRole('main').getByRole('list');
  await expect(sections.getByText('Identidade')).toBeVisible();
  await expect(sections.getByRole('link', { name: 'Identidade' })).toHaveCount(0);
  await sections.getByRole('link', { name: 'Página inicial' }).click();
  await expect(editor.getByText('Só a administração muda: Valores e convênio')).toBeVisible();
  await editor.getByLabel('Título da página').fill('O título da edição');
  await editor.getByRole('button', { name: 'Salvar rascunho' }).click();
  await expect(editor.getByText('Agora a administração publica.')).toBeVisible();
  await editor.goto(`${site.url}/admin/site/publicar`);
  await expect(editor).toHaveURL(`${site.url}/`);
  await expect(editor.getByText('A sua conta não abre essa parte da administração.')).toBeVisible();
  await editor.context().close();

  await page.reload();
  await expect(page.getByText('Nenhum convite espera resposta.')).toBeVisible();
});

test('a link for an account waits for the right user to sign in, and ends when it is withdrawn', {
  tag: '@full',
}, async ({ page }) => {
  const known = await registerAdmin(site, users, 'Kátia Conhecida', false);
  await users.admin.client.documents.updateUser(known.uid, { emailVerified: true });
  await users.admin.client.auth.invite({ email: known.email, member: 'editor' });
  const link = await site.mailedLink('/convite');
  await signInAnew(page, site.url, users.patient);
  await page.goto(link);
  await expect(page.getByText(`está aberta a conta ${users.patient.email}`)).toBeVisible();
  await page.getByRole('button', { name: 'Sair desta conta' }).click();
  await page.getByRole('link', { name: 'Entrar' }).click();
  await sendSignIn(page, known);
  await expect(page).toHaveURL(`${site.url}/convite`);
  await page.getByRole('button', { name: 'Aceitar o convite' }).click();
  await expect(page).toHaveURL(`${site.url}/admin`);
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Este convite não vale mais' })).toBeVisible();

  await users.admin.client.auth.invite({ email: 'retirada@example.com', member: true });
  const withdrawn = await site.mailedLink('/convite');
  await signIn(page, site.url, users.admin);
  await page.goto(`${site.url}/register`);
  await page.getByRole('button', { name: 'Retirar o convite para retirada@example.com' }).click();
  await expect(page.getByText('O convite para retirada@example.com não vale mais.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Convites abertos' })).toBeFocused();
  await page.goto(withdrawn);
  await expect(page.getByRole('heading', { name: 'Este convite não vale mais' })).toBeVisible();
});
