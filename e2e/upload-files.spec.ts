import { writeFileSync } from 'node:fs';
import sharp from 'sharp';
import { linkField } from './activity-form.ts';
import { chooserOf, pictureOf, uploadField } from './files.ts';
import { expect, signIn, siteWithUsers, test } from './journey.ts';

const { site, users } = siteWithUsers();

test.beforeEach(async ({ page }) => {
  await signIn(page, site.url, users.admin);
  await page.goto(`${site.url}/admin/newact?axis=mind`);
  await expect(page.getByRole('heading', { name: 'Nova Act' })).toBeVisible();
});

test('unusable files are refused at once, or by their content', async ({ page, watch }, testInfo) => {
  const field = uploadField(page, 'Imagem');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await chooserOf(page, 'Imagem').setInputFiles({
    name: 'a.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.7'),
  });
  await expect(field.getByRole('alert')).toContainText('Escolha JPEG, PNG, WebP ou AVIF.');
  await chooserOf(page, 'Imagem').setInputFiles({
    name: 'a.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.alloc(0),
  });
  await expect(field.getByRole('alert')).toContainText('Este arquivo está vazio.');
  // Chooses a file on disk, because Playwright would send a buffer to the browser as text.
  const large = testInfo.outputPath('a.jpg');
  writeFileSync(large, Buffer.alloc(20_000_001));
  await chooserOf(page, 'Imagem').setInputFiles(large);
  await expect(field.getByRole('alert')).toContainText(
    'Este arquivo tem 20,1 MB, e pode ter no máximo 20 MB.',
  );
  expect(asked.filter((url) => url.includes('/api/storage/'))).toEqual([]);

  await chooserOf(page, 'Imagem').setInputFiles({
    name: 'a.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.from('GIF89a'),
  });
  await expect(field.getByRole('alert')).toHaveText(
    'Pelo conteúdo, este arquivo é GIF, que não serve aqui. Escolha JPEG, PNG, WebP ou AVIF.',
  );
  // The same file would be refused again, so the field asks for another one.
  await expect(field.getByRole('button', { name: 'Tentar de novo' })).toHaveCount(0);
  await expect(field.getByText('Escolher arquivo')).toBeVisible();
  watch.problems.length = 0;
});

test('a HEIC photo that the browser cannot open is explained, and not sent', { tag: '@full' }, async ({
  page,
}) => {
  const field = uploadField(page, 'Imagem');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  // Systems that do not know HEIC give the file an empty type.
  const pdf = Buffer.from('%PDF-1.7');
  for (const mimeType of ['image/heic', '']) {
    const buffer = Buffer.from('\0\0\0\u0018ftypheic');
    await chooserOf(page, 'Imagem').setInputFiles({ name: 'IMG_0001.HEIC', mimeType, buffer });
    await expect(field.getByRole('alert')).toContainText('Esta foto está em HEIC, o formato do iPhone');
    await expect(field.getByRole('button', { name: 'Tentar de novo' })).toHaveCount(0);
    await chooserOf(page, 'Imagem').setInputFiles({
      name: 'a.pdf',
      mimeType: 'application/pdf',
      buffer: pdf,
    });
    await expect(field.getByRole('alert')).toContainText('Escolha JPEG, PNG, WebP ou AVIF.');
    // Programs give such a photo the name of a JPEG.
    await chooserOf(page, 'Imagem').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer });
    await expect(field.getByRole('alert')).toContainText('Esta foto está em HEIC, o formato do iPhone');
  }
  expect(asked.filter((url) => url.includes('/api/storage/'))).toEqual([]);
});

test('a HEIC photo that the browser can open is sent as JPEG', { tag: '@full' }, async ({ page }) => {
  // Chromium cannot open HEIC, so the file has the name and type of a HEIC photo, but the content of a PNG.
  const noise = { create: { width: 64, height: 40, channels: 3, background: '#a94a28' } } as const;
  const buffer = await sharp(noise).png().toBuffer();
  await chooserOf(page, 'Imagem').setInputFiles({ name: 'IMG_0002.HEIC', mimeType: 'image/heic', buffer });
  await expect(page.getByText('Image Uploaded')).toBeVisible();
  const stored = uploadField(page, 'Imagem').getByRole('img', { name: 'Imagem da prática' });
  const address = (await stored.getAttribute('src')) ?? '';
  const response = await page.request.get(site.url + address.replace(/&width=\d+$/, ''));
  expect(response.headers()['content-type']).toBe('image/jpeg');
});

test('the preview of the video shows the picture that was chosen', { tag: '@full' }, async ({ page }) => {
  await linkField(page).fill('https://youtu.be/aBcDeFgHiJ0');
  const preview = page.getByRole('button', { name: /^Assistir/ });
  await expect(preview.locator('img')).toHaveCount(0);
  await chooserOf(page, 'Imagem').setInputFiles(await pictureOf(300));
  await expect(page.getByText('Image Uploaded')).toBeVisible();
  await expect(preview.locator('img')).toHaveAttribute('src', /^\/files\/postImages\/mind\/theory\//);
});
