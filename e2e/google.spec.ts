import type { AddressInfo } from 'node:net';
import { type MutableRedirectUri, type MutableToken, OAuth2Server } from 'oauth2-mock-server';
import { paths } from '#contract/paths.ts';
import { sampleActivity } from '#server/testing/samples.ts';
import { sendSignIn } from './account-forms.ts';
import { expect, signIn, siteWithUsers, test } from './journey.ts';
import { nameInBar } from './top-bar.ts';

/** An OpenID provider that runs on another port of localhost, because these pages can reach no other host. */
const provider = new OAuth2Server();

test.beforeAll(async () => {
  await provider.issuer.keys.generate('RS256');
  await provider.start(0, 'localhost');
  provider.issuer.url = `http://localhost:${(provider.address() as AddressInfo).port}`;
});
test.afterAll(async () => provider.stop());

const { site, users } = siteWithUsers(() => ({
  GOOGLE_CLIENT_ID: 'clinica',
  GOOGLE_CLIENT_SECRET: 'segredo',
  GOOGLE_DISCOVERY_URL: `${provider.issuer.url}/.well-known/openid-configuration`,
}));

/** Makes the provider sign in this user. */
const visits = (user: {
  sub: string;
  email: string;
  name: string;
  picture?: string;
  email_verified?: false;
}) => {
  provider.service.removeAllListeners('beforeTokenSigning');
  provider.service.on('beforeTokenSigning', ({ payload }: MutableToken) =>
    Object.assign(payload, { email_verified: true }, user),
  );
};

const button = { name: 'Entrar com Google' };

for (const [path, sub] of [
  ['/login', 'gilda'],
  ['/register', 'gustavo'],
] as const)
  test(`from ${path}, Google's window signs in and closes, and the page continues`, { tag: '@full' }, async ({
    page,
    context,
  }) => {
    visits({ sub, email: `${sub}@example.com`, name: 'Gente do Google' });
    await page.goto(site.url + path);
    const opened = page.waitForEvent('popup');
    await page.getByRole('button', button).click();
    const popup = await opened;
    if (!popup.isClosed()) await popup.waitForEvent('close');
    await expect(page).toHaveURL(`${site.url}/minha-area`);
    await expect(nameInBar(page, 'Gente')).toBeVisible();
    expect(context.pages()).toHaveLength(1);
  });

test('if the window is blocked, the page itself goes to Google and returns signed in, with the wanted practice', async ({
  page,
}) => {
  visits({ sub: 'rui', email: 'rui@example.com', name: 'Rui Redirecionado' });
  await page.addInitScript(() => {
    window.open = () => null;
  });
  const { id, title } = await users.admin.client.documents.createActivity(sampleActivity());
  await page.goto(`${site.url}/login?guardar=${id}`);
  await page.getByRole('button', button).click();
  await expect(page.getByText(`“${title}” está guardada.`)).toBeVisible();
  await expect(nameInBar(page, 'Rui')).toBeVisible();
});

test('a user who only uses Google can set a password, and no picture of another origin loads', {
  tag: '@full',
}, async ({ page }) => {
  const picture = 'https://pictures.example.com/a.png';
  visits({ sub: 'flora', email: 'flora@example.com', name: 'Flora Foto', picture });
  await page.goto(`${site.url}/login`);
  await page.getByRole('button', button).click();
  await expect(page).toHaveURL(`${site.url}/minha-area`);
  await page.goto(`${site.url}/account`);
  await expect(page.getByText('Confirmado', { exact: true })).toBeVisible();
  await expect(page.getByText('fica em pictures.example.com')).toBeVisible();
  await page.getByRole('button', { name: /^Remover/ }).click();
  await expect(page.getByText('Foto removida.')).toBeVisible();
  await expect(page.getByText('fica em pictures.example.com')).toBeHidden();

  await page.getByRole('button', { name: 'Receber o link por e-mail' }).click();
  await expect(page.getByText('Enviamos um link para flora@example.com.')).toBeVisible();
  await page.goto(await site.mailedLink('/nova-senha'));
  await page.getByLabel('Senha nova', { exact: true }).fill('jardimLongo42');
  await page.getByRole('button', { name: 'Salvar a senha' }).click();
  await expect(page).toHaveURL(`${site.url}/login`);
  await sendSignIn(page, { email: 'flora@example.com', password: 'jardimLongo42' });
  await expect(page).toHaveURL(`${site.url}/minha-area`);
  await page.goto(`${site.url}/account`);
  await page.getByRole('button', { name: 'Deletar minha conta' }).click();
  await expect(page.getByRole('dialog').getByLabel('Sua senha')).toBeVisible();
});

for (const blocked of [false, true])
  test(`a user who only uses Google confirms with it and deletes the account${blocked ? ', on the page itself' : ''}`, {
    tag: '@full',
  }, async ({ page }) => {
    const user = { sub: `despede${blocked}`, email: `despede${blocked}@example.com`, name: 'Duda Despede' };
    visits(user);
    await page.goto(`${site.url}/login`);
    await page.getByRole('button', button).click();
    await expect(page).toHaveURL(`${site.url}/minha-area`);

    if (blocked)
      await page.addInitScript(() => {
        window.open = () => null;
      });
    // Moves only the page's clock, so that the sign-in seems one hour old to the page.
    await page.clock.setSystemTime(Date.now() + 60 * 60_000);
    await page.goto(`${site.url}/account`);
    await expect(page.getByText('Este nome vem da sua conta do Google.')).toBeVisible();
    const ask = page.getByRole('button', { name: 'Deletar minha conta' });
    await ask.click();
    const question = page.getByRole('dialog', { name: 'Deletar a sua conta?' });
    const confirm = question.getByRole('button', { name: 'Confirmar com o Google' });
    if (!blocked) {
      visits({ ...user, sub: 'outra', email: 'outra@example.com' });
      await confirm.click();
      await expect(question.getByRole('alert')).toContainText('Essa conta do Google não é a desta conta.');
      visits(user);
    }
    await confirm.click();
    if (blocked) {
      await page.clock.setSystemTime(Date.now());
      await expect(page).toHaveURL(`${site.url}/account`);
      await page.reload();
      await ask.click();
    }
    await question.getByLabel('Para confirmar').fill('deletar');
    await question.getByRole('button', { name: 'Deletar para sempre' }).click();
    await expect(page.getByText('Sua conta foi deletada.')).toBeVisible();
    await expect(page).toHaveURL(`${site.url}/`);
  });

for (const blocked of [false, true])
  test(`a session that ends continues with Google${blocked ? ', once its window is not blocked' : ''}`, {
    tag: '@full',
  }, async ({ page, context }) => {
    const name = `Gina Insiste ${blocked ? 'Mais' : 'Muito'}`;
    visits({ sub: 'gina', email: 'gina@example.com', name: 'Gina do Google' });
    await page.goto(`${site.url}/login`);
    await page.getByRole('button', button).click();
    await expect(page).toHaveURL(`${site.url}/minha-area`);
    await page.goto(`${site.url}/account`);
    await page.getByLabel('Nome completo').fill(name);
    await context.clearCookies();
    await page.getByRole('button', { name: 'Salvar o nome' }).click();
    const again = page.getByRole('dialog', { name: 'Entre de novo' });
    const google = again.getByRole('button', button);
    if (blocked) {
      const open = await page.evaluateHandle(() => window.open);
      await page.evaluate(() => {
        window.open = () => null;
      });
      await google.click();
      await expect(again.getByRole('alert')).toContainText('O navegador bloqueou a janela do Google.');
      await page.evaluate((original) => {
        window.open = original;
      }, open);
    }
    await google.click();
    await expect(page.getByText('Nome salvo.')).toBeVisible();
    await expect(page.getByLabel('Nome completo')).toHaveValue(name);
    await expect(again).toBeHidden();
  });

test('the list of users says which email addresses are not confirmed', { tag: '@full' }, async ({ page }) => {
  visits({ sub: 'vilma', email: 'vilma@example.com', name: 'Vilma Verificada' });
  await page.goto(`${site.url}/login`);
  await page.getByRole('button', button).click();
  await expect(page).toHaveURL(`${site.url}/minha-area`);
  await page.context().clearCookies();
  await signIn(page, site.url, users.admin);
  await page.goto(`${site.url}/admin/users`);
  const row = (email: string) => page.getByRole('row').filter({ hasText: email });
  await expect(row(users.patient.email)).toContainText('E-mail não confirmado');
  await expect(row('vilma@example.com')).toBeVisible();
  await expect(row('vilma@example.com')).not.toContainText('E-mail não confirmado');
});

for (const blocked of [false, true])
  test(`cancelling ${blocked ? 'on the page itself' : 'in the window'} leads back to the form, without an error`, {
    tag: '@full',
  }, async ({ page }) => {
    provider.service.once('beforeAuthorizeRedirect', ({ url }: MutableRedirectUri) => {
      url.searchParams.delete('code');
      url.searchParams.set('error', 'access_denied');
    });
    if (blocked) {
      await page.addInitScript(() => {
        window.open = () => null;
      });
    }
    await page.goto(`${site.url}/login`);
    const responded = page
      .context()
      .waitForEvent('request', (request) => request.url().includes('erro=cancelado'));
    await page.getByRole('button', button).click();
    await responded;
    await expect(page.getByRole('button', button)).toBeEnabled();
    await expect(page.getByText('Continue na janela do Google.')).toBeHidden();
    await expect(page.getByRole('alert')).toHaveCount(0);
    expect(new URL(page.url()).pathname).toBe('/login');
  });

test('closing the window leaves the button unchanged', { tag: '@full' }, async ({ page, context }) => {
  await context.route(
    (url) => url.pathname === paths.auth.google,
    (route) => route.fulfill({ contentType: 'text/html', body: '<title>Escolha uma conta</title>' }),
  );
  await page.goto(`${site.url}/login`);
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', button).click();
  const popup = await opened;
  await expect(page.getByText('Continue na janela do Google.')).toBeVisible();
  await popup.close();
  await expect(page.getByText('Continue na janela do Google.')).toBeHidden();
  await expect(page.getByRole('alert')).toHaveCount(0);
  const again = page.waitForEvent('popup');
  await page.getByRole('button', button).click();
  await (await again).close();
});

test('in an embedded browser, a message replaces the button', async ({ browser }) => {
  const context = await browser.newContext({
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148 Instagram 350.0.0',
  });
  const page = await context.newPage();
  await page.goto(`${site.url}/login`);
  await expect(page.getByText('abra esta página no navegador do telefone')).toBeVisible();
  await expect(page.getByRole('button', button)).toHaveCount(0);
  await context.close();
});

test('if the window cannot close itself, it says that it can be closed', { tag: '@full' }, async ({
  page,
  context,
}) => {
  visits({ sub: 'presa', email: 'presa@example.com', name: 'Paula Presa' });
  await context.addInitScript(() => {
    window.close = () => {};
  });
  await page.goto(`${site.url}/login`);
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', button).click();
  await expect((await opened).getByRole('heading', { name: 'Pode fechar esta janela' })).toBeVisible();
  await expect(page).toHaveURL(`${site.url}/minha-area`);
});
