import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { findHeadlessChromium } from '#build/chromium.ts';

const executablePath = findHeadlessChromium();
if (executablePath === undefined)
  throw new Error('No Chromium was found: npm test installs one, or set CHROMIUM_PATH.');

export default defineConfig({
  testDir: '.',
  // The levels of `npm test` and `npm run test:all`. The name of a file (`.full.spec.ts`) or a tag decides.
  projects: [
    { name: 'daily', grepInvert: /[.@]full\b/ },
    { name: 'full', grep: /[.@]full\b/ },
  ],
  globalSetup: './global-setup.ts',
  outputDir: '../test-results',
  // Each worker runs a browser and a server. With more workers, pages would wait for a processor, and a test
  // would fail by chance.
  workers: availableParallelism(),
  forbidOnly: process.env.CI !== undefined,
  timeout: 60_000,
  // Low-priority work, such as making the smaller versions of a picture, is slow on a busy machine.
  expect: { timeout: 20_000 },
  use: {
    actionTimeout: 15_000,
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
    viewport: { width: 1280, height: 900 },
    // Animations would only delay checks.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath,
      args: [
        ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
        // Blocks every host except this machine. Playwright's `route()` would turn off the HTTP cache, and
        // then the tests would take a third more processor time.
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
        ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
        // Fewer threads and processes save an eighth of the processor time of a page.
        ...['--js-flags=--single-threaded', '--renderer-process-limit=1'],
      ],
    },
  },
});
