import { readFile } from 'node:fs/promises';
import { expect, scriptStarted, signInAnew, siteWithUsers, test } from './journey.ts';

const { site, users } = siteWithUsers();

test('a patient sees the sender, turns the reminder on by keyboard, tests it, and ends it by its link', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await signInAnew(page, site.url, users.patient);
  await page.goto(`${site.url}/semana/lembrete`);
  await scriptStarted(page);
  const main = page.getByRole('main');
  await expect(main).toContainText('O lembrete está desligado.');
  await expect(main).toContainText(/Lembrete <.+@.+>/);
  // Nobody turns it on for an address of another person.
  await expect(page.getByRole('button', { name: 'Ligar o lembrete' })).toHaveCount(0);
  await users.patient.client.auth.sendVerificationEmail();
  const { hash } = new URL(await site.mailedLink('/email-confirmado'));
  await users.patient.client.auth.verifyEmail({ token: hash.slice(1) });
  await page.reload();
  await scriptStarted(page);
  const press = async (name: string) => {
    await page.getByRole('button', { name }).focus();
    await page.keyboard.press('Enter');
  };

  for (const day of ['segunda', 'terça', 'quarta', 'quinta', 'sexta']) {
    await page.getByLabel(day).focus();
    await page.keyboard.press('Space');
  }
  await press('Ligar o lembrete');
  await expect(main).toContainText('Escolha pelo menos um dia.');
  await expect(page.getByLabel('segunda')).toBeFocused();
  await page.keyboard.press('Space');
  await page.getByLabel('Hora').selectOption('7h');
  await press('Ligar o lembrete');
  await expect(main).toContainText('O lembrete está ligado.');
  await expect(main).toContainText(/O próximo pode chegar em segunda-feira, .+, às 7h\./);
  const { times } = await (await users.patient.client.reminder()).read();
  expect([times?.weekdays, times?.hour]).toEqual([[1], 7]);

  const downloading = page.waitForEvent('download');
  await press('Baixar para o calendário');
  const calendar = await readFile(await (await downloading).path(), 'utf8');
  expect(calendar).toContain('RRULE:FREQ=WEEKLY;BYDAY=MO\r\n');
  expect(calendar).toMatch(/DTSTART:\d{8}T070000\r\n/);

  await press('Enviar um teste');
  await expect(page.getByText(`Teste enviado para ${users.patient.email}.`)).toBeVisible();
  await page.goto(await site.mailedLink('/lembrete/sair/'));
  await page.getByRole('button', { name: 'Desligar o lembrete' }).click();
  await expect(main).toContainText('Pronto. O lembrete está desligado.');
  expect((await (await users.patient.client.reminder()).read()).on).toBe(false);
});
