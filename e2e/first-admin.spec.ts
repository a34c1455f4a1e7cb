import { linkIn, type Mailbox, startMailbox } from '#server/testing/peers/mailbox.ts';
import { sendSignIn, sendSignUp } from './account-forms.ts';
import { expect, fillStorage, siteForTests, test } from './journey.ts';
import { register } from './site.ts';

const mailbox = {} as Mailbox;
test.beforeAll(async () => {
  Object.assign(mailbox, await startMailbox());
});
test.afterAll(async () => mailbox.stop());

const fresh = siteForTests();
const withAccount = siteForTests();
const crowded = siteForTests();
const strict = siteForTests(() => ({ SMTP_URL: mailbox.url, REQUIRE_VERIFIED_EMAIL: 'true' }));

test('the link, opened before there is an account, leads through the sign-up to the administration', async ({
  page,
}) => {
  await page.goto(fresh.url + fresh.firstAdminPath());
  await page.getByRole('link', { name: 'Criar uma conta' }).click();
  await sendSignUp(page, { name: 'Alice Admin', email: 'alice@example.com', password: 'alicerce2025x' });
  await expect(page).toHaveURL(`${fresh.url}/admin`);
  expect(await page.evaluate(() => Object.keys(localStorage))).not.toContain('acolhe:first-admin');
});

test('the link leads through the sign-in of a user who first tries to sign up', { tag: '@full' }, async ({
  page,
}) => {
  const user = await register(withAccount, 'Bruna Antes');
  await page.goto(withAccount.url + withAccount.firstAdminPath());
  await page.getByRole('link', { name: 'Entrar' }).click();
  await page.getByRole('link', { name: 'Criar uma conta' }).click();
  await sendSignUp(page, { ...user, password: 'outraSenha2025' });
  await page.getByRole('alert').getByRole('link', { name: 'entrar' }).click();
  await expect(page.getByRole('heading', { name: 'Entrar', level: 1 })).toBeVisible();
  await sendSignIn(page, user);
  await expect(page).toHaveURL(`${withAccount.url}/admin`);
});

test('where email addresses are verified first, the mailed link leads back to the page for the first admin', {
  tag: '@full',
}, async ({ page, context }) => {
  await page.goto(strict.url + strict.firstAdminPath());
  await page.getByRole('link', { name: 'Criar uma conta' }).click();
  await sendSignUp(page, { name: 'Vera Admin', email: 'vera@example.com', password: 'verdade2025x' });
  await expect(page.getByRole('heading', { name: 'Confira o seu e-mail' })).toBeVisible();
  const other = await context.newPage();
  await other.goto(linkIn(await mailbox.take('vera@example.com')));
  await other.getByRole('button', { name: 'Confirmar meu e-mail' }).click();
  await other.getByRole('link', { name: 'Continuar' }).click();
  await other.getByRole('button', { name: 'Tornar esta conta administradora' }).click();
  await expect(other).toHaveURL(`${strict.url}/admin`);
});

test('the newest link counts, even if the storage of the device is full', { tag: '@full' }, async ({
  page,
}) => {
  await page.goto(`${crowded.url}/primeiro-acesso#antigo`);
  await page.getByRole('link', { name: 'Criar uma conta' }).click();
  await fillStorage(page);
  await page.goto('about:blank');
  await page.goto(crowded.url + crowded.firstAdminPath());
  await page.getByRole('link', { name: 'Criar uma conta' }).click();
  await sendSignUp(page, { name: 'Alice Admin', email: 'alice@example.com', password: 'alicerce2025x' });
  await expect(page).toHaveURL(`${crowded.url}/admin`);
});

test('the page says that a link lacks its token', { tag: '@full' }, async ({ page }) => {
  await page.goto(`${fresh.url}/primeiro-acesso`);
  await expect(page.getByText('O link veio incompleto.')).toBeVisible();
});
