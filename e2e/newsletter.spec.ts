import { readFileSync } from 'node:fs';
import { expect, scriptStarted, signIn, siteWithUsers, test } from './journey.ts';
import { addSubscriber } from './site.ts';

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

test('an admin writes the letter, looks at it, tests it and sends it; a reader leaves without JavaScript', async ({
  page,
  browser,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  addSubscriber(site, 'assinante@example.com');

  await test.step('the draft is saved, and looks like a mail', async () => {
    await signIn(page, site.url, users.admin);
    await page.goto(`${site.url}/admin/carta`);
    await expect(page.getByText('1 pessoa pediu e confirmou a carta.')).toBeVisible();
    await page.getByRole('link', { name: 'Nova carta' }).click();
    await page.getByLabel('Assunto').fill('Dormir no calor');
    await page.getByLabel('Texto', { exact: true }).fill('Água **fresca** ajuda.');
    await page.getByRole('button', { name: 'Salvar rascunho' }).click();
    const mail = page.frameLocator('iframe');
    await expect(mail.getByRole('heading', { name: 'Dormir no calor' })).toBeVisible();
    await expect(mail.locator('strong')).toHaveText('fresca');
    await page.getByRole('button', { name: 'E-mail escuro' }).click();
    await expect(page.frameLocator('iframe[title="Prévia: E-mail escuro"]').locator('strong')).toBeVisible();
  });

  await test.step('a test goes to the admin, then the letter to all', async () => {
    await page.getByRole('button', { name: 'Enviar um teste para mim' }).click();
    await expect(page.getByText('O teste foi enviado para o seu e-mail.')).toBeVisible();
    await page.getByRole('button', { name: 'Enviar…' }).click();
    await expect(page.getByRole('dialog')).toContainText('vai para 1 pessoa');
    await page.getByRole('button', { name: 'Enviar agora' }).click();
    await expect(page.getByText('A carta foi enviada para 1 pessoa.')).toBeVisible();
  });

  await test.step('the public page and the link to leave need no JavaScript', async () => {
    const href = await page.getByRole('link', { name: 'Ver no site' }).getAttribute('href');
    const reader = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
    await reader.goto(site.url + href);
    await expect(reader.getByRole('heading', { level: 1 })).toHaveText('Dormir no calor');
    await reader.goto(await site.mailedLink('/carta/sair/'));
    await reader.getByRole('button', { name: 'Sair da carta' }).click();
    await expect(reader.getByText('O seu e-mail foi apagado da lista')).toBeVisible();
    await reader.context().close();
    await page.goto(`${site.url}/admin/carta`);
    await expect(page.getByText('Ninguém confirmou a assinatura')).toBeVisible();
    await expect(page.getByText('para 1 de 1 pessoa')).toBeVisible();
  });
});
