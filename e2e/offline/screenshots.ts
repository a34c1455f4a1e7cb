/**
 * Takes the screenshots of the web app manifest, which browsers show before they install the site. They show
 * the form of a new entry, without the clinic's name. After a build that changes this form, run
 * `node e2e/offline/screenshots.ts`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright';
import sharp from 'sharp';
import { findChromium } from '#build/chromium.ts';
import { createClient } from '#client/client.ts';
import { createCookieFetch } from '#client/cookie-fetch.ts';
import { diaryTerms } from '#contract/diary/consent.ts';
import { sampleDiary } from '#contract/site/diary.ts';
import { startServerProcess } from '#server/testing/server-process.ts';

const heavy = sampleDiary.words.filter((one) => one.heavy).map(({ word }) => word);
const heavyWords = new RegExp(`^(?:${heavy.join('|')})$`);
const executablePath = findChromium();
if (executablePath === undefined) throw new Error('No Chromium was found: set CHROMIUM_PATH.');
const dataDir = mkdtempSync(join(tmpdir(), 'acolhe-screenshots-'));
const server = await startServerProcess(dataDir);
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
try {
  const { url } = server;
  const cookies = new Map<string, string>();
  const client = createClient({ auth: url, documents: url, fetch: createCookieFetch(url, cookies) });
  const account = { displayName: 'Paciente', email: 'paciente@example.com', password: 'violeta2025x' };
  await client.auth.signUp(account);
  await (await client.diary()).giveConsent(diaryTerms);
  for (const [name, viewport, deviceScaleFactor] of [
    ['narrow', { width: 360, height: 640 }, 2],
    ['wide', { width: 1280, height: 800 }, 1],
  ] as const) {
    const context = await browser.newContext({ locale: 'pt-BR', viewport, deviceScaleFactor });
    await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url })));
    const page = await context.newPage();
    await page.goto(`${url}/diario/novo`);
    await page.getByRole('button', { name: 'Guardar' }).waitFor();
    // Anyone sees these pictures, before anything else of the diary, so they show no heavy words.
    const hidden = page
      .locator('header:has(nav), footer')
      .or(page.locator('main').locator('label, button').filter({ hasText: heavyWords }));
    await hidden.evaluateAll((elements) => elements.map((element) => element.remove()));
    const picture = await sharp(await page.screenshot())
      .webp({ quality: 80 })
      .toBuffer();
    writeFileSync(join(import.meta.dirname, `../../web/public/screenshot-${name}.webp`), picture);
    await context.close();
  }
} finally {
  await browser.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
