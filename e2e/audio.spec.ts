import { expect, siteForTests, test } from './journey.ts';

const site = siteForTests();
const title = 'Três minutos para chegar';

test('the track of the home page loads only when played, by ranges, and the keyboard can seek', async ({
  page,
}) => {
  const asked: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('.mp3')) asked.push(request.headers().range);
  });
  await page.goto(`${site.url}/`);
  await page.locator('audio').scrollIntoViewIfNeeded();
  const player = page.getByRole('group', { name: `Áudio: ${title}` });
  const position = player.getByRole('slider', { name: 'Posição no áudio' });
  await expect(position).toBeDisabled();
  expect(asked).toEqual([]);

  await player.getByRole('button', { name: 'Tocar' }).press('Enter');
  await expect(player.getByRole('button', { name: 'Pausar' })).toBeVisible();
  await expect(player).toContainText('3:00');
  expect(asked[0]).toBe('bytes=0-');
  await player.getByRole('button', { name: 'Pausar' }).press('Space');
  await expect(player.getByRole('button', { name: 'Tocar' })).toBeVisible();

  await position.press('Home');
  for (let step = 0; step < 5; step += 1) await position.press('ArrowRight');
  await expect(position).toHaveAttribute('aria-valuetext', '5 segundos de 3 minutos');
  expect(await page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.currentTime)).toBe(5);
  await expect(player).toContainText('0:05');
});

test('the track lasts three minutes, swells with the breath, and never clips', { tag: '@full' }, async ({
  page,
}) => {
  await page.goto(`${site.url}/`);
  const { duration, peak, loudness } = await page.evaluate(async () => {
    const src = document.querySelector('audio')?.src ?? '';
    const file = await (await fetch(src)).arrayBuffer();
    const sound = await new OfflineAudioContext(1, 1, 22_050).decodeAudioData(file);
    const samples = sound.getChannelData(0);
    const second = (at: number) => samples.subarray(at * sound.sampleRate, (at + 1) * sound.sampleRate);
    const power = (part: Float32Array) => part.reduce((sum, value) => sum + value ** 2, 0) / part.length;
    return {
      duration: sound.duration,
      peak: samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0),
      loudness: { in: power(second(63)), out: power(second(69)), end: power(second(179)) },
    };
  });
  expect(Math.round(duration)).toBe(180);
  expect(peak).toBeGreaterThan(0.5);
  expect(peak).toBeLessThan(0.9);
  expect(loudness.in).toBeGreaterThan(10 * loudness.out);
  expect(loudness.end).toBeLessThan(1e-6);
});

test('a track that does not load shows a message with a link to the file', { tag: '@full' }, async ({
  page,
}) => {
  await page.route('**/*.mp3', (route) => route.fulfill({ status: 404 }));
  await page.goto(`${site.url}/`);
  await page.locator('audio').scrollIntoViewIfNeeded();
  await page.getByRole('button', { name: 'Tocar' }).click();
  await expect(page.getByRole('alert')).toContainText('Este áudio não pôde ser tocado.');
  await expect(page.getByRole('link', { name: 'Abrir o arquivo' })).toHaveAttribute('href', /\.mp3$/);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test("the browser's own player and the written version are shown", { tag: '@full' }, async ({ page }) => {
    await page.goto(`${site.url}/`);
    const audio = page.locator('audio');
    await expect(audio).toBeVisible();
    await expect(audio).toHaveAttribute('controls');
    await expect(audio).toHaveAttribute('preload', 'none');
    await page.getByText('Prefiro ler').click();
    await expect(page.getByText('Conte até quatro enquanto o ar entra')).toBeVisible();
  });
});
