import { readFileSync } from 'node:fs';
import { expect, scriptStarted, signIn, siteWithUsers, test } from './journey.ts';

const { site, users } = siteWithUsers();

test('a visitor subscribes to the newsletter with the keyboard, confirms by mail, is in the export, and unsubscribes', async ({
  page,
  browser,
  context,
}) => {
  await test.step('the form shows what is missing, next to the fields', async () => {
    await page.goto(`${site.url}/`);
    const email = page.getByLabel('Seu e-mail');
    const send = page.getByRole('button', { name: 'Receber a carta' });
    await email.focus();
    await expect(send).toBeEnabled();
    await send.press('Enter');
    await expect(email).toBeFocused();
    await expect(email).toHaveAccessibleDescription('Preencha um email válido.');
    await expect(page.getByRole('checkbox')).toHaveAccessibleDescription(
      'Marque a caixa para receber a carta.',
    );
    await page.keyboard.type('leitora@example.com');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Como cuidamos dos seus dados' })).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const answer = page.getByRole('status').filter({ hasText: 'Falta só um passo.' });
    await expect(answer).toBeFocused();
    await expect(answer).toContainText('leitora@example.com');
    expect(await context.cookies()).toEqual([]);
    expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0);
  });

  const confirmLink = await site.mailedLink('/carta/confirmar');
  const leaveLink = await site.mailedLink('/carta/sair');

  await test.step('after the mailed link, one click confirms', async () => {
    await page.goto(confirmLink);
    await expect(page).toHaveTitle(/^Confirmar a carta \| /);
    await page.getByRole('button', { name: 'Quero receber a carta' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'A próxima carta' })).toBeFocused();
  });

  await test.step('the dashboard exports the email address', async () => {
    const desk = await browser.newContext();
    const admin = await desk.newPage();
    await signIn(admin, site.url, users.admin);
    await admin.goto(`${site.url}/admin`);
    const download = admin.waitForEvent('download');
    await admin.getByRole('link', { name: 'Exportar a carta (CSV)' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('carta.csv');
    expect(readFileSync(await file.path(), 'utf8')).toContain('"leitora@example.com"');
    await desk.close();
  });

  await test.step('the other link removes the email address; then the first link confirms nothing', async () => {
    await page.goto(leaveLink);
    await page.getByRole('button', { name: 'Sair da carta' }).click();
    await expect(page.getByText('O seu e-mail foi apagado da lista')).toBeVisible();
    await page.goto(confirmLink);
    await page.getByRole('button', { name: 'Quero receber a carta' }).click();
    await expect(page.getByRole('alert')).toContainText('Este link já foi usado ou venceu.');
    await page.getByRole('link', { name: 'Ver o formulário da carta' }).click();
    await expect(page.getByRole('heading', { name: 'Uma carta por mês' })).toBeInViewport();
  });
});

test('an email address that only the server refuses gets a message next to the field', {
  tag: '@full',
}, async ({ page }) => {
  await page.goto(`${site.url}/`);
  await scriptStarted(page);
  const email = page.getByLabel('Seu e-mail');
  await email.fill('ana@sem-ponto');
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Receber a carta' }).click();
  await expect(email).toHaveAccessibleDescription('Preencha um email válido.');
  await expect(email).toBeFocused();
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('an email address replaces the form', { tag: '@full' }, async ({ page }) => {
    await page.goto(`${site.url}/`);
    const section = page.locator('#carta');
    await expect(section.getByRole('link', { name: /@/ })).toHaveAttribute('href', /^mailto:/);
    await expect(section.getByRole('button')).toBeHidden();
  });
});
