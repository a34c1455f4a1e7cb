import type { Page } from '@playwright/test';
import { sendSignIn } from './account-forms.ts';
import { expect, signInAnew, signOut, siteWithUsers, test } from './journey.ts';
import { register } from './site.ts';

const { site } = siteWithUsers();

/**
 * Gives the browser an authenticator that always recognizes its user. The offer in the field of /login would
 * use it at once, so the browser is one without this offer.
 */
async function addAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });
}

test('a user creates a passkey, signs in with it, and deletes it with it as the proof', async ({ page }) => {
  await addAuthenticator(page);
  const user = await register(site, 'Clara Chave');
  await signInAnew(page, site.url, user);
  await page.goto(`${site.url}/account`);
  await page.getByRole('button', { name: 'Criar uma chave de acesso' }).click();
  const dialog = page.getByRole('dialog', { name: 'Criar uma chave de acesso' });
  await dialog.getByLabel('Sua senha').fill('errada2025x');
  await dialog.getByRole('button', { name: 'Continuar' }).click();
  await expect(dialog.getByLabel('Sua senha')).toHaveAccessibleDescription(/A senha atual não confere\./);
  await dialog.getByLabel('Sua senha').fill(user.password);
  await dialog.getByRole('button', { name: 'Continuar' }).click();
  await dialog.getByLabel('Nome da chave').fill('Chave do teste');
  await dialog.getByRole('button', { name: 'Criar a chave' }).click();
  await expect(page.getByText('Chave de acesso criada.')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'Chave do teste' })).toContainText(
    'Ainda não usada',
  );

  await signOut(page, site.url);
  await page.goto(`${site.url}/login?para=conta`);
  await page.getByRole('button', { name: 'Entrar com chave de acesso' }).click();
  await expect(page).toHaveURL(`${site.url}/account`);
  const row = page.getByRole('listitem').filter({ hasText: 'Chave do teste' });
  await expect(row).toContainText('Usada pela última vez');

  await row.getByRole('button', { name: 'Deletar' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Usar chave de acesso' }).click();
  await expect(page.getByText('Chave de acesso deletada.')).toBeVisible();
  await expect(row).toHaveCount(0);
});

test('a change of the email is asked for in one browser, and confirmed in another', async ({
  page,
  browser,
}) => {
  const user = await register(site, 'Téo Troca');
  await signInAnew(page, site.url, user);
  await page.goto(`${site.url}/account`);
  await page.getByRole('button', { name: 'Trocar o e-mail' }).click();
  const dialog = page.getByRole('dialog', { name: 'Trocar o e-mail' });
  await dialog.getByLabel('Novo e-mail').fill('teo.novo@example.com');
  await dialog.getByLabel('Sua senha').fill(user.password);
  await dialog.getByRole('button', { name: 'Enviar o link' }).click();
  await expect(page.getByText(/Falta confirmar/)).toContainText('teo.novo@example.com');

  const other = await browser.newContext();
  const phone = await other.newPage();
  await phone.goto(await site.mailedLink('/email-novo#'));
  await phone.getByRole('link', { name: 'Entrar' }).click();
  await sendSignIn(phone, user);
  await phone.getByRole('button', { name: 'Confirmar o novo e-mail' }).click();
  await expect(phone.getByRole('heading', { name: 'E-mail trocado' })).toBeFocused();
  await phone.getByRole('link', { name: 'Ver a minha conta' }).click();
  // The header shows the address, too.
  await expect(phone.getByRole('main').getByText('teo.novo@example.com')).toBeVisible();
  await other.close();

  await page.reload();
  await expect(page).toHaveURL(`${site.url}/login?para=conta`);
});
