import { expectAccessible } from './accessible.ts';
import { audioOf, chooserOf, openLine, pictureOf, reaches, uploadField } from './files.ts';
import { expect, signIn, siteWithUsers, test } from './journey.ts';

const { site, users } = siteWithUsers();

test('every state of an upload is accessible', async ({ page, watch }) => {
  test.setTimeout(240_000);
  await signIn(page, site.url, users.admin);
  await page.goto(`${site.url}/admin/newact`);
  const [picture, sound] = [uploadField(page, 'Imagem'), uploadField(page, 'Áudio')];
  await chooserOf(page, 'Imagem').setInputFiles(await pictureOf(1_200));
  const text = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') };
  await chooserOf(page, 'Áudio').setInputFiles(text);
  await expect(picture).toContainText('Escolha o eixo');
  await expect(sound.getByRole('alert')).toContainText('Escolha MP3');
  await expectAccessible(page, 'a file that waits, a file that is refused');

  await page.route('**/api/storage/resumable', (route) => route.fulfill({ status: 402 }), { times: 1 });
  await page.getByRole('radio', { name: 'Mind' }).check({ force: true });
  await expect(picture.getByRole('alert')).toContainText('Não cabem mais arquivos');
  watch.problems.length = 0;
  const line = await openLine(page, 20_000);
  await chooserOf(page, 'Áudio').setInputFiles(audioOf(2_000_000));
  await reaches(page, 'Áudio', 1);
  await expectAccessible(page, 'an upload that failed, an upload on its way');

  await sound.getByRole('button', { name: 'Pausar' }).click();
  await expect(sound.getByRole('button', { name: 'Continuar' })).toBeVisible();
  await picture.getByRole('button', { name: 'Cancelar' }).click();
  await chooserOf(page, 'Imagem').setInputFiles(await pictureOf(150));
  await expect(picture.getByRole('img', { name: 'Imagem da prática' })).toBeVisible({ timeout: 30_000 });
  await expectAccessible(page, 'a stored picture, a paused upload');

  await sound.getByRole('button', { name: 'Continuar' }).click();
  await line.cut();
  await expect(sound).toContainText('Sem conexão.');
  await expectAccessible(page, 'an upload without a network');
  await sound.getByRole('button', { name: 'Cancelar' }).click();
});
