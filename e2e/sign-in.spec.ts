import type { Locator } from '@playwright/test';
import { passwordRules } from '#contract/credentials.ts';
import { paths } from '#contract/paths.ts';
import {
  fillSignIn,
  fillSignUp,
  passwordField,
  sendSignIn,
  sendSignUp,
  signInButton,
} from './account-forms.ts';
import { expect, scriptStarted, signIn, signOut, siteWithUsers, test } from './journey.ts';
import { tabTo } from './keyboard.ts';
import { register } from './site.ts';
import { nameInBar, signInLink } from './top-bar.ts';

const { site, users } = siteWithUsers();

test('a field is checked when it is left, then at every change, and never while it is empty', async ({
  page,
}) => {
  await page.goto(`${site.url}/register`);
  const email = page.getByLabel('Email');
  const complaint = page.getByText('Preencha um email válido.');
  await email.focus();
  await page.getByLabel('Nome completo').focus();
  await expect(complaint).toBeHidden();

  await email.fill('ana@');
  await expect(complaint).toBeHidden();
  await email.blur();
  await expect(complaint).toBeVisible();
  await expect(email).toHaveAccessibleDescription(/Preencha um email válido\./);
  await email.fill('ana@example.com');
  await expect(complaint).toBeHidden();

  const password = passwordField(page);
  await expect(password).toHaveAttribute('passwordrules', passwordRules);
  await password.fill('curta');
  await password.blur();
  await expect(page.getByText('A senha precisa ter pelo menos 8 caracteres.')).toBeVisible();
});

const fontSizeOf = (part: Locator) =>
  part.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));

test('sign-up asks for name, email and password in Portuguese, beside the words of the specification', async ({
  page,
}) => {
  await page.goto(`${site.url}/register`);
  await page.getByRole('button', { name: 'Criar a conta' }).click();
  for (const [portuguese, quoted] of [
    ['Escreva o seu nome.', 'You need a first name'],
    ['Escreva o seu e-mail.', 'You need a email'],
    ['Escreva a senha.', 'You need a password'],
  ] as const) {
    const message = page.getByRole('link', { name: `${portuguese} ${quoted}`, exact: true });
    await expect(message).toBeVisible();
    const english = message.getByText(quoted, { exact: true });
    await expect(english).toHaveAttribute('lang', 'en');
    expect(await fontSizeOf(english)).toBeLessThan(await fontSizeOf(message));
  }
  await expect(page).toHaveURL(`${site.url}/register`);
});

test('a different confirmation shows a hint and never blocks the form', async ({ page }) => {
  await page.goto(`${site.url}/register`);
  await fillSignUp(page, { name: 'Nina Nova', email: 'nina@example.com', password: 'violeta2025x' });
  await page.getByLabel('Confirme a Senha').fill('violeta2025y');
  await page.getByLabel('Confirme a Senha').blur();
  await expect(page.getByText(/senhas estão diferentes/)).toBeVisible();
  await page.getByRole('button', { name: 'Criar a conta' }).click();
  await expect(page).toHaveURL(`${site.url}/minha-area`);
  await expect(page.getByText('Boas-vindas, Nina! A sua conta está pronta.')).toBeVisible();
});

test('sign-up says what an account is for, and welcomes in the area of the new user', {
  tag: '@full',
}, async ({ page }) => {
  await page.goto(`${site.url}/practices`);
  await scriptStarted(page);
  await signInLink(page).click();
  await page.getByRole('link', { name: 'Criar uma conta' }).click();
  await expect(page.getByText(/Você guarda as práticas que fazem bem/)).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'Privacidade' })).toHaveAttribute(
    'href',
    '/privacidade#conta',
  );
  await sendSignUp(page, { name: 'Dra. Célia Volta', email: 'celia@example.com', password: 'violeta2025x' });
  await expect(page).toHaveURL(`${site.url}/minha-area`);
  await expect(page.getByText('Boas-vindas, Dra. Célia! A sua conta está pronta.')).toBeVisible();
  await expect(nameInBar(page, 'Dra. Célia')).toBeVisible();
});

test('Tab leads from the email to the password, and then to the link for a forgotten password', {
  tag: '@full',
}, async ({ page }) => {
  await page.goto(`${site.url}/login`);
  await expect(signInButton(page)).toBeEnabled();
  await page.getByLabel('Email').focus();
  await page.keyboard.press('Tab');
  await expect(passwordField(page)).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Mostrar senha' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Esqueceu a senha?' })).toBeFocused();
});

test('the pages for signing in and up link to the practices, and the footer links to sign-in only without a session', {
  tag: '@full',
}, async ({ page }) => {
  for (const path of ['/login', '/register', '/login/recover']) {
    await page.goto(site.url + path);
    await expect(page.getByRole('link', { name: 'Práticas' })).toHaveAttribute('href', '/practices');
  }
  const footer = page.getByRole('contentinfo');
  await page.goto(`${site.url}/practices`);
  await scriptStarted(page);
  await expect(footer.getByRole('link', { name: 'Entrar' })).toBeVisible();
  await signIn(page, site.url, users.patient);
  await page.reload();
  await expect(footer.getByRole('link', { name: 'Entrar' })).toHaveCount(0);
  await expect(footer.getByRole('link', { name: 'Privacidade' })).toBeVisible();
});

test('a taken email address shows a message under the form, and typed text stays', async ({ page }) => {
  await page.goto(`${site.url}/register`);
  await sendSignUp(page, { name: 'Outra Pessoa', email: users.patient.email, password: 'violeta2025x' });
  await expect(page.getByRole('alert')).toContainText('Já existe uma conta com este e-mail.');
  await expect(page.getByLabel('Nome completo')).toHaveValue('Outra Pessoa');
  await expect(passwordField(page)).toHaveValue('violeta2025x');

  // Both links in the message pass the email address to the next form, but not in the URL or the history.
  const alert = page.getByRole('alert');
  await alert.getByRole('link', { name: 'recuperar a senha' }).click();
  await expect(page).toHaveURL(`${site.url}/login/recover`);
  await expect(page.getByLabel('Email')).toHaveValue(users.patient.email);
  await page.goBack();
  await sendSignUp(page, { name: 'Outra Pessoa', email: users.patient.email, password: 'violeta2025x' });
  await alert.getByRole('link', { name: 'entrar' }).click();
  await expect(page).toHaveURL(`${site.url}/login`);
  await expect(page.getByLabel('Email')).toHaveValue(users.patient.email);
  expect(await page.evaluate(() => JSON.stringify(history.state))).not.toContain(users.patient.email);
  await page.getByRole('link', { name: 'Esqueceu a senha?' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(users.patient.email);
  await page.reload();
  await expect(page.getByLabel('Email')).toHaveValue('');
});

test('a sign-in that is sent before the session is read, and then refused, leaves the form usable', {
  tag: '@full',
}, async ({ page }) => {
  const held = { session: Promise.withResolvers<void>(), signIn: Promise.withResolvers<void>() };
  await page.route(`**${paths.auth.session}`, async (route) => {
    await held.session.promise;
    await route.continue();
  });
  await page.route(`**${paths.auth.signIn}`, async (route) => {
    await held.signIn.promise;
    await route.continue();
  });
  const read = page.waitForResponse(`**${paths.auth.session}`);
  await page.goto(`${site.url}/login`);
  await fillSignIn(page, { ...users.patient, password: 'errada2025x' });
  const asked = page.waitForRequest(`**${paths.auth.signIn}`);
  await signInButton(page).click();
  await asked;
  held.session.resolve();
  await (await read).finished();
  held.signIn.resolve();
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.locator('html[data-without-code]')).toHaveCount(0);
  await passwordField(page).fill(users.patient.password);
  await signInButton(page).click();
  await expect(page).toHaveURL(`${site.url}/minha-area`);
});

test('the password can be shown', async ({ page }) => {
  await page.goto(`${site.url}/login`);
  const password = passwordField(page);
  await password.fill('violeta2025x');
  await expect(password).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Mostrar senha' }).click();
  await expect(password).toHaveAttribute('type', 'text');
});

test('users sign in with the keyboard alone, and each lands on the page of the role', async ({ page }) => {
  for (const [user, end] of [
    [users.patient, '/minha-area'],
    [users.member, '/minha-area'],
    [users.admin, '/admin'],
  ] as const) {
    await page.goto(`${site.url}/login`);
    await tabTo(page.getByLabel('Email'));
    await page.keyboard.type(user.email);
    await tabTo(passwordField(page));
    await page.keyboard.type(user.password);
    // A test types faster than a user, so wait until the page's code has enabled the button.
    await expect(signInButton(page)).toBeEnabled();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(site.url + end);
    await signOut(page, site.url);
  }
});

test('a reset link is mailed and sets a new password, and the old one stops working', async ({
  page,
  context,
}) => {
  const user = await register(site, 'Olga Outono');
  await page.goto(`${site.url}/login`);
  await page.getByRole('link', { name: 'Esqueceu a senha?' }).click();
  await expect(page).toHaveURL(`${site.url}/login/recover`);
  await page.getByLabel('Email').fill(user.email);
  await page.getByRole('button', { name: 'Enviar o link' }).click();
  await expect(page).toHaveURL(`${site.url}/`);
  const notice = page.getByRole('region', { name: 'Olhe o seu e-mail' });
  await expect(notice).toBeFocused();
  await expect(notice).toHaveAccessibleDescription(/^Pronto\. .* Password reset link sent!$/);
  await expect(notice).toContainText('10 minutos');
  await expect(notice.getByRole('link', { name: /WhatsApp/ })).toHaveAttribute(
    'href',
    /^https:\/\/wa\.me\/\d+$/,
  );
  await notice.getByRole('button', { name: 'Entendi' }).press('Enter');
  await expect(notice).toBeHidden();
  await expect(page.getByRole('main')).toBeFocused();

  await page.goto(await site.mailedLink('/nova-senha'));
  const link = page.url();
  await page.getByLabel('Senha nova', { exact: true }).fill('outonoLongo7');
  await page.getByRole('button', { name: 'Salvar a senha' }).click();
  await expect(page).toHaveURL(`${site.url}/login`);
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('acolhe-session');
  await sendSignIn(page, user);
  await expect(page.getByRole('alert')).toContainText('E-mail ou senha incorretos.');
  await passwordField(page).fill('outonoLongo7');
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await expect(page).toHaveURL(`${site.url}/minha-area`);

  await page.goto(link);
  await page.getByLabel('Senha nova', { exact: true }).fill('invernoLongo7');
  await page.getByRole('button', { name: 'Salvar a senha' }).click();
  await expect(page.getByRole('heading', { name: 'Este link não vale mais' })).toBeVisible();
});
