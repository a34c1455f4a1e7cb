import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { accountExport } from '#contract/account.ts';
import { codeOf } from '#server/testing/authenticator.ts';
import { passwordField, sendSignIn } from './account-forms.ts';
import { expect, signInAnew, signOut, siteWithUsers, test } from './journey.ts';
import { register, type TestUser } from './site.ts';
import { nameInBar, signInLink } from './top-bar.ts';

const { site, users } = siteWithUsers();

async function openAccount(page: Page, user: TestUser) {
  await signInAnew(page, site.url, user);
  await page.goto(`${site.url}/account`);
  await expect(page.getByRole('heading', { name: 'Sua conta' })).toBeVisible();
}

async function signInByForm(page: Page, { email }: TestUser, password: string) {
  await page.goto(`${site.url}/login`);
  await sendSignIn(page, { email, password });
}

test('the settings menu leads to the account, where the name is changed', async ({ page }) => {
  const user = await register(site, 'Nora Antes');
  await signInAnew(page, site.url, user);
  await page.goto(`${site.url}/about`);
  await nameInBar(page, 'Nora').click();
  await page.getByRole('link', { name: 'Conta' }).click();
  await page.getByLabel('Nome completo').fill(' ');
  await page.getByRole('button', { name: 'Salvar o nome' }).click();
  await expect(page.getByLabel('Nome completo')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Nome completo').fill('Leonora Depois');
  await page.getByRole('button', { name: 'Salvar o nome' }).click();
  await expect(page.getByText('Nome salvo.')).toBeVisible();
  await expect(nameInBar(page, 'Leonora')).toBeVisible();
  expect(await user.client.documents.getUser(user.uid)).toMatchObject({ displayName: 'Leonora Depois' });
});

test('a new password needs the current one, and ends every other session', async ({ page }) => {
  const user = await register(site, 'Paula Senha');
  await openAccount(page, user);
  await page.getByLabel('Senha atual').fill('errada2025x');
  await page.getByLabel('Senha nova', { exact: true }).fill('girassolAlto7');
  await page.getByLabel('Confirme a senha nova').fill('girassolAlto8');
  await page.getByLabel('Confirme a senha nova').blur();
  await expect(page.getByText(/senhas estão diferentes/)).toBeVisible();
  await page.getByRole('button', { name: 'Trocar a senha' }).click();
  await expect(page.getByLabel('Senha atual')).toHaveAccessibleDescription(/A senha atual não confere\./);
  await expect(page.getByRole('listitem').filter({ hasText: 'Entrou em' })).toHaveCount(2);

  await page.getByLabel('Senha atual').fill(user.password);
  await page.getByRole('button', { name: 'Trocar a senha' }).click();
  await expect(page.getByText('Senha trocada. Os outros aparelhos saíram da conta.')).toBeVisible();
  await expect(page.getByLabel('Senha atual')).toHaveValue('');
  await expect(page.getByRole('listitem').filter({ hasText: 'Entrou em' })).toHaveCount(1);
  expect(await user.client.auth.findSession()).toBeUndefined();

  await signOut(page, site.url);
  await signInByForm(page, user, 'girassolAlto7');
  await expect(page).toHaveURL(`${site.url}/minha-area`);
});

test('the devices are listed, and the others can be signed out', async ({ page, browser }) => {
  const user = await register(site, 'Davi Aparelhos');
  const phone = await browser.newContext({
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1',
  });
  const phonePage = await phone.newPage();
  await signInAnew(phonePage, site.url, user);
  await openAccount(page, user);
  const devices = page.getByRole('listitem').filter({ hasText: 'Entrou em' });
  await expect(devices).toHaveCount(3);
  await expect(devices.first()).toContainText('este aparelho');
  await expect(devices.filter({ hasText: 'Safari no iPhone' })).toHaveCount(1);

  await expect(devices.filter({ hasText: 'Safari no iPhone' })).toContainText(
    /Usado pela última vez em \d+ \w+\./,
  );
  await expect(devices.first().getByRole('button')).toHaveCount(0);
  await page.getByRole('button', { name: 'Sair deste aparelho: Safari no iPhone' }).click();
  await expect(devices).toHaveCount(2);
  await expect(page.getByText('Safari no iPhone saiu da conta.')).toBeVisible();
  await phonePage.goto(`${site.url}/account`);
  await expect(phonePage).toHaveURL(`${site.url}/login?para=conta`);
  expect(await user.client.auth.findSession()).toBeDefined();

  await page.getByRole('button', { name: 'Sair dos outros aparelhos' }).click();
  await expect(devices).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Sair dos outros aparelhos' })).toBeHidden();
  expect(await user.client.auth.findSession()).toBeUndefined();
  await phone.close();
});

test('the question before an account is deleted works with the keyboard alone', { tag: '@full' }, async ({
  page,
}) => {
  await openAccount(page, await register(site, 'Tecla Tab'));
  const opener = page.getByRole('button', { name: 'Deletar minha conta' });
  await opener.press('Enter');
  const question = page.getByRole('dialog');
  await expect(question).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(opener).toBeFocused();
});

test('a user can download all personal data, and read them', async ({ page }) => {
  const user = await register(site, 'Elisa Dados');
  await openAccount(page, user);
  const started = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Baixar meus dados (JSON)' }).click();
  const download = await started;
  expect(download.suggestedFilename()).toBe('meus-dados.json');
  const kept = accountExport.parse(JSON.parse(await readFile(await download.path(), 'utf8')));
  expect(kept.user).toMatchObject({ displayName: user.name, email: user.email });
  expect(kept.sessions).toHaveLength(2);
  await page.getByRole('link', { name: 'Ler os meus dados' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Meus dados' })).toBeVisible();
  await expect(page.getByRole('main').getByText(user.email)).toBeVisible();
  await expect(page.getByText(/^\d{1,2} de \p{L}+ de \d{4}, \d\d:\d\d$/u).first()).toBeVisible();
});

test('a user deletes the account with the password and the confirmation word, and every tab is signed out', async ({
  page,
  context,
}) => {
  const user = await register(site, 'Zilda Despede');
  await openAccount(page, user);
  const other = await context.newPage();
  await other.goto(`${site.url}/about`);
  await expect(nameInBar(other, 'Zilda')).toBeVisible();

  await page.getByRole('button', { name: 'Deletar minha conta' }).click();
  const question = page.getByRole('dialog', { name: 'Deletar a sua conta?' });
  await expect(question).toContainText('o registro de quem viu ou mudou os seus dados.');
  await expect(question).toContainText('cópias de segurança, cifradas, por até 90 dias;');
  await expect(question).not.toContainText('sem o seu nome');
  await question.getByLabel('Sua senha').fill('errada2025x');
  await question.getByLabel('Para confirmar').fill('talvez');
  await question.getByRole('button', { name: 'Deletar para sempre' }).click();
  await expect(question.getByRole('link', { name: 'Digite a palavra “deletar”.' })).toBeVisible();
  await question.getByLabel('Para confirmar').fill('Deletar');
  await question.getByRole('button', { name: 'Deletar para sempre' }).click();
  await expect(question.getByLabel('Sua senha')).toHaveAccessibleDescription(/A senha atual não confere\./);
  await question.getByLabel('Sua senha').fill(user.password);
  await question.getByRole('button', { name: 'Deletar para sempre' }).click();
  await expect(page).toHaveURL(`${site.url}/`);
  await expect(page.getByText('Sua conta foi deletada.')).toBeVisible();
  await expect(signInLink(page)).toBeVisible();
  await expect(nameInBar(other, 'Zilda')).toBeHidden();

  await signInByForm(page, user, user.password);
  await expect(page.getByRole('alert')).toContainText('E-mail ou senha incorretos.');
});

test('a user turns on the second factor, signs in with a code and with a recovery code, and turns it off', {
  tag: '@full',
}, async ({ page }) => {
  const { admin } = users;
  await openAccount(page, admin);
  await page.getByRole('button', { name: 'Ligar' }).click();
  await page.getByLabel('Sua senha').fill('errada2025x');
  await page.getByRole('button', { name: 'Continuar' }).click();
  await expect(page.getByLabel('Sua senha')).toHaveAccessibleDescription(/A senha atual não confere\./);
  await page.getByLabel('Sua senha').fill(admin.password);
  await page.getByRole('button', { name: 'Continuar' }).click();
  await expect(page.getByRole('img', { name: /^Código QR/ })).toBeVisible();
  const uri = (await page.getByRole('link', { name: /abra-o aqui mesmo/ }).getAttribute('href')) ?? '';
  const started = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Baixar' }).click();
  const saved = await readFile(await (await started).path(), 'utf8');
  const [, recoveryCode = ''] = saved.split('\r\n');
  await expect(page.getByRole('listitem').filter({ hasText: recoveryCode }).last()).toBeVisible();

  await page.getByLabel('Código de seis números').fill('000000');
  await page.getByRole('button', { name: 'Ligar a verificação' }).click();
  await expect(page.getByLabel('Código de seis números')).toHaveAccessibleDescription(/incorreto/);
  await page.getByLabel('Código de seis números').fill(codeOf(uri));
  await page.getByRole('button', { name: 'Ligar a verificação' }).click();
  await expect(page.getByText('Verificação em duas etapas ligada.')).toBeVisible();
  await expect(page.getByText('Ligada', { exact: true })).toBeVisible();

  await signOut(page, site.url);
  await signInByForm(page, admin, admin.password);
  await page.getByRole('button', { name: 'Voltar' }).click();
  await expect(passwordField(page)).toHaveValue(admin.password);

  // Each code works only once, and the code of the current period was used above. So the first sign-in uses
  // the code of the next period, `codeOf(uri, 1)`.
  for (const code of [() => codeOf(uri, 1), () => recoveryCode]) {
    await signOut(page, site.url);
    await signInByForm(page, admin, admin.password);
    await expect(page.getByLabel('Código de verificação')).toBeFocused();
    await page.getByLabel('Código de verificação').fill(code());
    await page.getByRole('button', { name: 'Confirmar' }).click();
    await expect(page).toHaveURL(`${site.url}/admin`);
  }

  await page.goto(`${site.url}/account`);
  await page.getByRole('button', { name: 'Desligar' }).click();
  const question = page.getByRole('dialog');
  await question.getByLabel('Sua senha').fill(admin.password);
  await question.getByRole('button', { name: 'Desligar' }).click();
  await expect(page.getByText('Verificação em duas etapas desligada.')).toBeVisible();
  await signOut(page, site.url);
  await signInByForm(page, admin, admin.password);
  await expect(page).toHaveURL(`${site.url}/admin`);
});

test('a session that ends while the account page is open asks for the password and continues', {
  tag: '@full',
}, async ({ page }) => {
  const user = await register(site, 'Iara Interrompida');
  await openAccount(page, user);
  await page.getByLabel('Nome completo').fill('Iara Continua');
  await user.client.auth.endOtherSessions();
  await page.getByRole('button', { name: 'Salvar o nome' }).click();
  const again = page.getByRole('dialog', { name: 'Entre de novo' });
  await again.getByLabel('Senha').fill(user.password);
  await again.getByRole('button', { name: 'Entrar e continuar' }).click();
  await expect(page.getByText('Nome salvo.')).toBeVisible();
  await expect(page.getByLabel('Nome completo')).toHaveValue('Iara Continua');
});
