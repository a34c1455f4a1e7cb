import type { Page } from '@playwright/test';
import { passwordField } from './account-forms.ts';
import { contentField, linkField, titleField } from './activity-form.ts';
import {
  audioOf,
  type ChosenFile,
  chooserOf,
  openLine,
  pathIn,
  pictureOf,
  reaches,
  uploadField,
} from './files.ts';
import { expect, signIn, signInAnew, siteWithUsers, test } from './journey.ts';

const { site, users } = siteWithUsers();
const link = 'https://www.gov.br/saude/pt-br';

async function openNew(page: Page, axis?: 'mind' | 'move', enter = signIn) {
  await enter(page, site.url, users.admin);
  await page.goto(`${site.url}/admin/newact${axis ? `?axis=${axis}` : ''}`);
  await expect(page.getByRole('heading', { name: 'Nova Act' })).toBeVisible();
}

async function fillIn(page: Page, title: string) {
  await titleField(page).fill(title);
  await linkField(page).fill(link);
  await contentField(page).fill('Ponha os pés no chão.');
}

async function findPractice(list: 'mindActsList' | 'moveActsList', title: string) {
  const { activities } = await users.admin.client.documents.getActivities(list);
  return activities.find((activity) => activity.title === title);
}

/** Drops a file on a field, as if a user dragged it from the desktop. */
async function drop(
  page: Page,
  label: 'Imagem' | 'Áudio',
  { name, mimeType, buffer }: ChosenFile,
  on = 'ou solte aqui',
) {
  const data = await page.evaluateHandle(
    ([base64, fileName, type]) => {
      const transfer = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([bytes], fileName, { type }));
      return transfer;
    },
    [buffer.toString('base64'), name, mimeType] as const,
  );
  // The page must cancel a drop outside the field, or the browser would replace the page with the file.
  const title = page.getByRole('heading', { name: 'Nova Act' });
  for (const type of ['dragover', 'drop'])
    expect(
      await title.evaluate(
        (element, [name, transfer]) =>
          element.dispatchEvent(
            new DragEvent(name, { dataTransfer: transfer, bubbles: true, cancelable: true }),
          ),
        [type, data] as const,
      ),
    ).toBe(false);
  const zone = uploadField(page, label).getByText(on);
  await zone.dispatchEvent('dragover', { dataTransfer: data });
  await zone.dispatchEvent('drop', { dataTransfer: data });
}

const save = (page: Page, name = 'Criar prática') => page.getByRole('button', { name });

test('a new activity gets a picture and a sound, and patients can use them', async ({ page }) => {
  await openNew(page, 'mind');
  await fillIn(page, 'Com figura e som');
  await chooserOf(page, 'Imagem').setInputFiles(await pictureOf(1_200));
  await expect(page.getByText('Image Uploaded')).toBeVisible();
  await chooserOf(page, 'Áudio').setInputFiles(audioOf(20_000));
  await expect(page.getByText('Audio Uploaded')).toBeVisible();
  await expect(uploadField(page, 'Imagem').getByRole('img', { name: 'Imagem da prática' })).toBeVisible();
  await save(page).click();
  await expect(page.getByText('act created')).toBeVisible();

  const practice = await findPractice('mindActsList', 'Com figura e som');
  expect(pathIn(practice?.image ?? '')).toMatch(/^postImages\/mind\/theory\//);
  expect(pathIn(practice?.audio ?? '')).toMatch(/^postAudios\/mind\//);
  await page.goto(`${site.url}/practices`);
  const card = page.getByRole('article', { name: 'Com figura e som' });
  const picture = card.locator('img');
  await picture.scrollIntoViewIfNeeded();
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  expect(await picture.evaluate((image: HTMLImageElement) => image.currentSrc)).toMatch(
    /&width=(?:480|960)$/,
  );
  await expect(card.getByRole('button', { name: 'Tocar' })).toBeVisible();
});

test('a dropped picture waits for the axis, and an edit replaces and removes files', {
  tag: '@full',
}, async ({ page }) => {
  await openNew(page);
  await fillIn(page, 'Solta na página');
  await drop(page, 'Imagem', await pictureOf(300));
  await expect(uploadField(page, 'Imagem')).toContainText('Escolha o eixo: o envio começa em seguida.');
  await expect(save(page)).toBeDisabled();
  await page.getByRole('radio', { name: 'Move' }).check({ force: true });
  await expect(page.getByText('Image Uploaded')).toBeVisible();
  await save(page).click();
  await expect(page.getByText('act created')).toBeVisible();
  const before = await findPractice('moveActsList', 'Solta na página');
  expect(pathIn(before?.image ?? '')).toMatch(/^postImages\/move\/theory\//);

  await page.getByRole('link', { name: 'Editar Solta na página' }).click();
  await chooserOf(page, 'Imagem').setInputFiles(await pictureOf(300, 'outra.jpg'));
  await expect(page.getByText('Image Uploaded')).toHaveCount(1);
  await chooserOf(page, 'Áudio').setInputFiles(audioOf(400_000));
  await expect(page.getByText('Audio Uploaded')).toBeVisible();
  await uploadField(page, 'Áudio').getByRole('button', { name: 'Remover' }).click();
  await expect(chooserOf(page, 'Áudio')).toBeFocused();
  await save(page, 'Salvar').click();
  await expect(page.getByText('post updated')).toBeVisible();
  const after = await findPractice('moveActsList', 'Solta na página');
  expect(pathIn(after?.image ?? '')).toMatch(/^postImages\/move\/[^/]+$/);
  expect(after?.image).not.toBe(before?.image);
  expect(after?.audio).toBe('');
});

test('an upload is paused, resumed and cancelled by keyboard, and the form waits for it', async ({
  page,
}) => {
  await openNew(page, 'mind');
  await openLine(page, 400_000);
  await chooserOf(page, 'Áudio').focus();
  await chooserOf(page, 'Áudio').setInputFiles(audioOf(4_000_000));
  const field = uploadField(page, 'Áudio');
  await expect(field.getByRole('button', { name: 'Pausar' })).toBeFocused();
  await reaches(page, 'Áudio', 1);
  await expect(save(page)).toBeDisabled();
  await expect(
    page.getByText('Antes de salvar, deixe o envio do arquivo terminar, ou cancele-o.'),
  ).toBeVisible();
  // Neither button is more prominent than the other.
  const look = (name: string) =>
    field.getByRole('button', { name }).evaluate((button) => getComputedStyle(button).backgroundColor);
  expect(await look('Pausar')).toBe(await look('Cancelar'));
  await expect(field.getByText(/^Falta(?: menos de 1 minuto|m cerca de \d+ minutos)\.$/)).toBeVisible();

  await page.keyboard.press('Enter');
  await expect(field.getByRole('button', { name: 'Continuar' })).toBeFocused();
  await expect(field.getByText('Áudio: envio pausado.')).toBeAttached();
  await page.keyboard.press('Enter');
  await expect(field.getByRole('button', { name: 'Pausar' })).toBeFocused();
  await reaches(page, 'Áudio', 10);

  const removed = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect((await removed).status()).toBe(204);
  await expect(chooserOf(page, 'Áudio')).toBeFocused();
  await expect(save(page)).toBeEnabled();
  await expect(field.getByRole('progressbar')).toHaveCount(0);
});

test('a paused upload can be cancelled', { tag: '@full' }, async ({ page }) => {
  await openNew(page, 'mind');
  await openLine(page, 400_000);
  await chooserOf(page, 'Áudio').setInputFiles(audioOf(4_000_000));
  const field = uploadField(page, 'Áudio');
  await reaches(page, 'Áudio', 1);
  await field.getByRole('button', { name: 'Pausar' }).click();
  await expect(field.getByRole('button', { name: 'Continuar' })).toBeVisible();
  const removed = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await field.getByRole('button', { name: 'Cancelar' }).click();
  expect((await removed).status()).toBe(204);
  await expect(save(page)).toBeEnabled();
});

test('a failure is shown in Portuguese and logged by code, and a retry continues where it stopped', {
  tag: '@full',
}, async ({ page, watch }) => {
  await openNew(page, 'mind');
  let chunks = 0;
  await page.route('**/api/storage/resumable/*', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    chunks += 1;
    if (chunks !== 2) return route.continue();
    await route.fulfill({
      status: 402,
      json: { code: 'storage/quota-exceeded', message: 'Full.', requestId: 'r1' },
    });
  });
  await chooserOf(page, 'Áudio').setInputFiles(audioOf(1_500_000));
  const field = uploadField(page, 'Áudio');
  await expect(field.getByRole('alert')).toContainText('Não cabem mais arquivos no espaço contratado.');
  expect(watch.problems.join()).toMatch(/storage\/quota-exceeded .*postAudios\/mind\//);
  watch.problems.length = 0;
  await expect(save(page)).toBeDisabled();

  const asked = page.waitForRequest((request) => request.method() === 'HEAD');
  await field.getByRole('button', { name: 'Tentar de novo' }).click();
  await asked;
  await expect(page.getByText('Audio Uploaded')).toBeVisible();
  await expect(save(page)).toBeEnabled();
});

test('after a failed upload only the message for the latest file is shown', { tag: '@full' }, async ({
  page,
  watch,
}) => {
  await openNew(page, 'mind');
  await page.route('**/api/storage/resumable', (route) => route.fulfill({ status: 402 }), { times: 1 });
  await chooserOf(page, 'Imagem').setInputFiles(await pictureOf(1_200));
  const alerts = uploadField(page, 'Imagem').getByRole('alert');
  await expect(alerts).toContainText('Não cabem mais arquivos');
  watch.problems.length = 0;
  const wrong = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('texto') };
  await drop(page, 'Imagem', wrong, 'folhas.jpg');
  await expect(alerts).toHaveCount(1);
  await expect(alerts).not.toContainText('Não cabem mais arquivos');
  await uploadField(page, 'Imagem').getByRole('button', { name: 'Tentar de novo' }).click();
  await expect(page.getByText('Image Uploaded')).toBeVisible();
  await expect(alerts).toHaveCount(0);
});

test('leaving during an upload asks for confirmation', { tag: '@full' }, async ({ page }) => {
  await openNew(page, 'mind');
  await openLine(page, 200_000);
  await chooserOf(page, 'Áudio').setInputFiles(audioOf(2_000_000));
  await reaches(page, 'Áudio', 1);
  await page.getByRole('link', { name: 'Move · Movimento', exact: true }).click();
  const question = page.getByRole('dialog');
  await expect(question).toContainText('O envio do arquivo ainda não terminou.');
  await question.getByRole('button', { name: 'Continuar editando' }).click();
  await reaches(page, 'Áudio', 2);

  const asked = page.waitForEvent('dialog');
  const leaving = page.evaluate(() => window.location.reload());
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await leaving;
  await uploadField(page, 'Áudio').getByRole('button', { name: 'Cancelar' }).click();
});

test('a session that ends during an upload asks for the password, and the upload continues', {
  tag: '@full',
}, async ({ page, context, watch }) => {
  await openNew(page, 'mind', signInAnew);
  await openLine(page, 400_000);
  await chooserOf(page, 'Áudio').setInputFiles(audioOf(2_000_000));
  await reaches(page, 'Áudio', 5);
  const sessions = await context.cookies();
  await context.clearCookies();
  await page.request.post(`${site.url}/api/auth/sign-out`, {
    headers: { origin: site.url, cookie: sessions.map(({ name, value }) => `${name}=${value}`).join('; ') },
    data: {},
  });
  const question = page.getByRole('dialog', { name: 'Entre de novo' });
  await passwordField(question).fill(users.admin.password);
  await question.getByRole('button', { name: 'Entrar e continuar' }).click();
  await expect(page.getByText('Audio Uploaded')).toBeVisible({ timeout: 30_000 });
  expect(watch.problems.join()).toContain('storage/unauthenticated');
  watch.problems.length = 0;
});
