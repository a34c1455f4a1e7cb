import sharp from 'sharp';
import { paths } from '#contract/paths.ts';
import { chooserOf, pathIn, pictureOf, uploadField } from './files.ts';
import { expect, signIn, siteForTests, test } from './journey.ts';
import { register } from './site.ts';

const site = siteForTests(() => ({ MAX_PROFILE_PICTURE_MB: '1' }));

test('a photo is chosen, shown, replaced and removed, and unused files are deleted', async ({ page }) => {
  const user = await register(site, 'Fabiana Foto');
  await signIn(page, site.url, user);
  // Waits for the size limit, which the server sends together with the upload token.
  const limit = page.waitForResponse(`${site.url}${paths.auth.storageBearer}`);
  await page.goto(`${site.url}/account`);
  await (await limit).finished();
  const field = uploadField(page, 'Foto');
  const menu = page.getByRole('banner');
  await expect(field.getByText('FF')).toBeVisible();
  await expect(menu.getByText('FF')).toBeVisible();

  await expect(field).toContainText(
    'JPEG, PNG ou WebP. Uma foto grande é reduzida neste aparelho antes do envio.',
  );
  const large = { name: 'a.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(1_000_001) };
  await chooserOf(page, 'Foto').setInputFiles(large);
  await expect(field.getByRole('alert')).toContainText('Este arquivo tem 1,1 MB, e pode ter no máximo 1 MB.');

  const photoOf = async () => {
    const record = await user.client.documents.getUser(user.uid);
    return record ? record.profilePic : false;
  };
  await chooserOf(page, 'Foto').setInputFiles(await pictureOf(1_000));
  await expect(page.getByText('Foto salva.')).toBeVisible();
  await expect(field.getByRole('img', { name: 'Sua foto' })).toBeVisible();
  await expect(menu.locator('img')).toBeVisible();
  const first = String(await photoOf());
  expect(pathIn(first)).toMatch(new RegExp(`^profilePics/${user.uid}/`));
  expect((await fetch(site.url + first)).status).toBe(200);

  await chooserOf(page, 'Foto').setInputFiles(await pictureOf(200, 'outra.jpg'));
  await expect.poll(photoOf).not.toBe(first);
  await expect.poll(async () => (await fetch(site.url + first)).status).toBe(404);
  const second = String(await photoOf());

  await field.getByRole('button', { name: 'Remover' }).click();
  await expect(page.getByText('Foto removida.')).toBeVisible();
  await expect(field.getByText('FF')).toBeVisible();
  expect(await photoOf()).toBe(false);
  expect((await fetch(site.url + second)).status).toBe(404);
});

test('a large photo of a phone is reduced before it is sent, without location and time', {
  tag: '@full',
}, async ({ page }) => {
  const user = await register(site, 'Gil Grande');
  await signIn(page, site.url, user);
  // Waits for the size limit, which the server sends together with the upload token.
  const limit = page.waitForResponse(`${site.url}${paths.auth.storageBearer}`);
  await page.goto(`${site.url}/account`);
  await (await limit).finished();
  const large = await pictureOf(3_000, 'praia.jpg');
  expect(large.buffer.length).toBeGreaterThan(1_000_000);
  await chooserOf(page, 'Foto').setInputFiles(large);
  await expect(page.getByText('Foto salva.')).toBeVisible();
  const record = await user.client.documents.getUser(user.uid);
  const stored = await fetch(site.url + (record ? record.profilePic : ''));
  const { width, exif } = await sharp(Buffer.from(await stored.arrayBuffer())).metadata();
  expect(width).toBeLessThanOrEqual(1_600);
  expect(exif).toBeUndefined();
});
