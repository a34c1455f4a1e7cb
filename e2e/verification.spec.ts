import { linkIn, type Mailbox, startMailbox } from '#server/testing/peers/mailbox.ts';
import { sendSignUp } from './account-forms.ts';
import { expect, siteForTests, test } from './journey.ts';
import { nameInBar } from './top-bar.ts';

const mailbox = {} as Mailbox;
test.beforeAll(async () => {
  Object.assign(mailbox, await startMailbox());
});
test.afterAll(async () => mailbox.stop());

const strict = siteForTests(() => ({ SMTP_URL: mailbox.url, REQUIRE_VERIFIED_EMAIL: 'true' }));
const open = siteForTests(() => ({ SMTP_URL: mailbox.url }));

test('where email addresses are verified first, the mailed link leads to a button that signs in, and to the wanted practice', async ({
  page,
  context,
}) => {
  await page.goto(`${strict.url}/register?guardar=pratica`);
  await sendSignUp(page, { name: 'Vera Verdadeira', email: 'vera@example.com', password: 'verdade2025x' });
  await expect(page.getByRole('heading', { name: 'Confira o seu e-mail' })).toBeVisible();
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('acolhe-session');

  const mail = await mailbox.take('vera@example.com');
  expect(mail.subject).toContain('Confirme o seu e-mail');
  // Some mail programs open every link of a mail. This must not verify the email address.
  await (await page.request.get(linkIn(mail))).body();
  await page.goto(linkIn(mail));
  await expect(page.getByRole('heading', { name: 'Confirmar o e-mail' })).toBeVisible();
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('acolhe-session');
  await page.getByRole('button', { name: 'Confirmar meu e-mail' }).click();
  await expect(page.getByRole('heading', { name: 'E-mail confirmado' })).toBeFocused();
  await page.getByRole('link', { name: 'Continuar' }).click();
  await expect(page).toHaveURL(`${strict.url}/minha-area?guardar=pratica`);
  // This site has no practices.
  await expect(page.getByText('A prática que você escolheu saiu da biblioteca.')).toBeVisible();
  await expect(nameInBar(page, 'Vera')).toBeVisible();
});

test('in another browser, the link asks once for a password, and works by keyboard', {
  tag: '@full',
}, async ({ page, browser }) => {
  await page.goto(`${strict.url}/register`);
  await sendSignUp(page, { name: 'Lia Laptop', email: 'lia@example.com', password: 'lilases2025x' });
  await expect(page.getByRole('heading', { name: 'Confira o seu e-mail' })).toBeVisible();
  const link = linkIn(await mailbox.take('lia@example.com'));

  const laptop = await (await browser.newContext({ viewport: { width: 360, height: 740 } })).newPage();
  await laptop.goto(link);
  await expect(laptop.getByText('lia@example.com')).toBeVisible();
  const field = laptop.getByLabel('Escolha sua senha');
  await field.fill('curta');
  await field.press('Enter');
  await expect(field).toHaveAccessibleDescription(/pelo menos 8 caracteres/);
  await field.fill('lilases2025x');
  await field.press('Enter');
  await expect(laptop.getByRole('heading', { name: 'E-mail confirmado' })).toBeFocused();
  await laptop.getByRole('link', { name: 'Continuar' }).click();
  await expect(laptop).toHaveURL(`${strict.url}/minha-area`);
  await laptop.context().close();
});

test('a link of another user waits until the signed-in user has signed out', { tag: '@full' }, async ({
  page,
}) => {
  await page.goto(`${open.url}/register`);
  await sendSignUp(page, { name: 'Primeira', email: 'primeira@example.com', password: 'primeira2025x' });
  await expect(page).toHaveURL(`${open.url}/minha-area`);
  await page.goto(`${open.url}/account`);
  await page.getByRole('button', { name: 'Reenviar confirmação' }).click();
  const link = linkIn(await mailbox.take('primeira@example.com'));
  await page.goto(`${open.url}/logout`);
  await page.goto(`${open.url}/register`);
  await sendSignUp(page, { name: 'Segunda', email: 'segunda@example.com', password: 'segunda2025x' });
  await expect(page).toHaveURL(`${open.url}/minha-area`);

  await page.goto(link);
  await expect(page.getByText('está aberta a conta segunda@example.com')).toBeVisible();
  await page.getByRole('button', { name: 'Sair desta conta' }).click();
  await page.getByLabel('Escolha sua senha').fill('primeira2025x');
  await page.getByRole('button', { name: 'Confirmar meu e-mail' }).click();
  await expect(page.getByText('O endereço primeira@example.com é seu.')).toBeVisible();
});

test('a user requests a link; only the newest one works, and it confirms in every tab', {
  tag: '@full',
}, async ({ page, context }) => {
  await page.goto(`${open.url}/register`);
  await sendSignUp(page, { name: 'Célia Confirma', email: 'celia@example.com', password: 'celeste2025x' });
  await expect(page).toHaveURL(`${open.url}/minha-area`);

  await page.goto(`${open.url}/account`);
  await expect(page.getByText('Ainda não confirmado')).toBeVisible();
  await page.getByRole('button', { name: 'Reenviar confirmação' }).click();
  await expect(page.getByText('Enviamos um link para celia@example.com.')).toBeVisible();
  const first = linkIn(await mailbox.take('celia@example.com'));

  const other = await context.newPage();
  await other.goto(first.replace('#', '#x'));
  await expect(other.getByRole('heading', { name: 'Este link não vale mais' })).toBeFocused();
  await other.getByRole('button', { name: 'Receber outro link' }).click();
  await expect(other.getByText('Enviamos outro link para celia@example.com.')).toBeVisible();
  const second = linkIn(await mailbox.take('celia@example.com'));

  const third = await context.newPage();
  await third.goto(first);
  await expect(third.getByRole('heading', { name: 'Este link não vale mais' })).toBeVisible();
  await third.close();
  await expect(page.getByText('Ainda não confirmado')).toBeVisible();
  const fourth = await context.newPage();
  await fourth.goto(second);
  await fourth.getByRole('button', { name: 'Confirmar meu e-mail' }).click();
  await expect(fourth.getByRole('heading', { name: 'E-mail confirmado' })).toBeVisible();
  await expect(page.getByText('Confirmado', { exact: true })).toBeVisible();
});

test('a page without a token confirms nothing, and the links of earlier versions lead to it', {
  tag: '@full',
}, async ({ page }) => {
  await page.goto(`${open.url}/email-confirmado`);
  await expect(page.getByRole('heading', { name: 'Este link não vale mais' })).toBeVisible();
  await page.goto(`${open.url}/api/auth/verify-email?token=velho`);
  await expect(page).toHaveURL(`${open.url}/email-confirmado?erro=link`);
  await expect(page.getByRole('heading', { name: 'Este link não vale mais' })).toBeVisible();
  await page.getByRole('link', { name: 'Entrar' }).click();
  await expect(page).toHaveURL(`${open.url}/login`);
});
