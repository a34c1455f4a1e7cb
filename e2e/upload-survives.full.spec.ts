import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contentField, linkField, titleField } from './activity-form.ts';
import { audioOf, chooserOf, openLine, pathIn, percentOf, reaches, uploadField } from './files.ts';
import { expect, signIn, siteWithUsers, test } from './journey.ts';

const { site, users } = siteWithUsers();
const fileBytes = 60_000_000;
const bytesPerSecond = 6_000_000;

let folder = '';
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'acolhe-upload-'));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('an upload of 60 MB survives a pause, a reload of the page and a killed server', async ({ page }) => {
  test.setTimeout(240_000);
  const { buffer } = audioOf(fileBytes);
  const file = join(folder, 'meditacao.mp3');
  writeFileSync(file, buffer);
  const field = uploadField(page, 'Áudio');
  const starts: string[] = [];
  let sentBytes = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/storage/resumable'))
      starts.push(request.url());
    if (request.method() === 'PATCH' && request.url().includes('/resumable/'))
      sentBytes += Number(request.headers()['content-length'] ?? 0);
  });

  await signIn(page, site.url, users.admin);
  await page.goto(`${site.url}/admin/newact?axis=mind`);
  await openLine(page, bytesPerSecond);
  await chooserOf(page, 'Áudio').setInputFiles(file);
  await reaches(page, 'Áudio', 12);

  await field.getByRole('button', { name: 'Pausar' }).click();
  await expect(field.getByRole('button', { name: 'Continuar' })).toBeVisible();
  const paused = await percentOf(page, 'Áudio');
  await field.getByRole('button', { name: 'Continuar' }).click();
  await reaches(page, 'Áudio', paused + 15);

  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Nova Act' })).toBeVisible();
  const offset = page.waitForResponse((response) => response.request().method() === 'HEAD');
  await chooserOf(page, 'Áudio').setInputFiles(file);
  const there = Number((await offset).headers()['upload-offset']);
  expect(there, 'what was sent before the reload is there').toBeGreaterThan(fileBytes / 10);
  await reaches(page, 'Áudio', Math.floor((there / fileBytes) * 100));

  // Kills the server when the page has sent only a part of a chunk.
  await page.waitForRequest((request) => request.method() === 'PATCH');
  const before = await percentOf(page, 'Áudio');
  await reaches(page, 'Áudio', before + 2);
  const broken = page.waitForEvent('requestfailed', (request) => request.method() === 'PATCH');
  await site.kill();
  await broken;
  await expect(field).toContainText('Sem conexão.');
  await site.startAgain();
  await expect(page.getByText('Audio Uploaded')).toBeVisible({ timeout: 120_000 });
  expect(starts, 'one upload, not three').toHaveLength(1);

  await titleField(page).fill('Sessenta megabytes');
  await linkField(page).fill('https://www.gov.br/saude/pt-br');
  await contentField(page).fill('Escute.');
  await page.getByRole('button', { name: 'Criar prática' }).click();
  await expect(page.getByText('act created')).toBeVisible();
  const { activities } = await users.admin.client.documents.getActivities('mindActsList');
  const audio = activities.find(({ title }) => title === 'Sessenta megabytes')?.audio ?? '';
  expect(pathIn(audio)).toMatch(/^postAudios\/mind\//);
  const stored = Buffer.from(await (await fetch(site.url + audio)).arrayBuffer());
  const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
  expect(sha256(stored)).toBe(sha256(buffer));
  expect(sentBytes).toBeLessThan(fileBytes * 2);
});
