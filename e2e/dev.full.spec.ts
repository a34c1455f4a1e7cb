import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { devPorts } from '#contract/dev-ports.ts';
import { paths } from '#contract/paths.ts';
import { sendSignUp } from './account-forms.ts';
import { chooserOf, pictureOf, uploadField } from './files.ts';
import { expect, test } from './journey.ts';
import { nameInBar } from './top-bar.ts';

const url = 'http://localhost:3000';
const at = (service: keyof typeof devPorts) => `http://localhost:${devPorts[service]}`;
let dataDir = '';
let dev: ChildProcess | undefined;

test.describe.configure({ mode: 'serial', timeout: 120_000 });

test.beforeAll(async () => {
  const taken = await Promise.all([3000, ...Object.values(devPorts)].map(isTaken));
  expect(taken, 'no other program listens on a port of npm run dev').not.toContain(true);
  dataDir = mkdtempSync(join(tmpdir(), 'acolhe-dev-'));
  dev = spawn(process.execPath, [join(import.meta.dirname, '..', 'commands', 'dev.ts')], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    stdio: 'ignore',
  });
  for (const service of [url, at('auth'), at('documents'), at('storage')])
    await expect
      .poll(
        () =>
          fetch(`${service}/healthz`).then(
            ({ ok }) => ok,
            () => false,
          ),
        { timeout: 60_000 },
      )
      .toBe(true);
});

test.afterAll(async () => {
  if (dev === undefined) return;
  const ended = once(dev, 'exit');
  dev.kill('SIGTERM');
  await ended;
  rmSync(dataDir, { recursive: true, force: true });
});

test('npm run dev serves the site, with each service alone on its port', async ({ page }) => {
  await page.goto(`${url}/register`);
  await sendSignUp(page, { name: 'Dora Dev', email: 'dora@example.com', password: 'calmaria2025' });
  await expect(page).toHaveURL(`${url}/minha-area`);
  await page.goto(`${url}/practices`);
  await expect(nameInBar(page, 'Dora')).toBeVisible();

  // The picture is too large for one request. The page uploads it with the resumable protocol (tus), from its
  // own port to the port of the storage service.
  await page.goto(`${url}/account`);
  await chooserOf(page, 'Foto').setInputFiles(await pictureOf(900));
  await expect(page.getByText('Foto salva.')).toBeVisible();
  const photo = uploadField(page, 'Foto').getByRole('img', { name: 'Sua foto' });
  await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);

  const picture = await page.request.get(`${url}/images/demo/riacho.svg`);
  expect(picture.headers()['content-type']).toBe('image/svg+xml');
  expect((await page.request.get(at('documents') + paths.auth.session)).status()).toBe(404);
  expect((await page.request.get(at('auth') + paths.documents.counts)).status()).toBe(404);
});

test('npm run dev also works at 127.0.0.1', { tag: '@full' }, async ({ page }) => {
  const site = 'http://127.0.0.1:3000';
  await page.goto(`${site}/register`);
  await sendSignUp(page, { name: 'Dora Dev', email: 'dora2@example.com', password: 'calmaria2025' });
  await expect(page).toHaveURL(`${site}/minha-area`);
  await page.goto(`${site}/practices`);
  await expect(nameInBar(page, 'Dora')).toBeVisible();
});

function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, 'localhost');
    socket.once('connect', () => socket.destroy());
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(!socket.errored));
  });
}
