import { chromium, type Page } from 'playwright';
import { findChromium } from '#build/chromium.ts';
import { cookiesOf, type Session } from './subject.ts';

/** Starts a browser with empty caches. */
export const launch = (...more: string[]) =>
  chromium.launch({
    executablePath: findChromium() ?? '',
    args: ['--no-sandbox', '--disable-gpu', ...more],
  });

/**
 * Calls `visit` several times, each time with a new page without caches.
 * @param signedIn the session of the page; empty for a visitor
 */
export async function inBrowser(
  times: number,
  signedIn: Session[],
  visit: (page: Page) => Promise<void>,
): Promise<void> {
  const browser = await launch();
  try {
    for (let count = 0; count < times; count += 1) {
      const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'pt-BR' });
      for (const session of signedIn)
        await context.addCookies(
          cookiesOf(session).map(([name, value]) => ({ name, value, url: session.url })),
        );
      await visit(await context.newPage());
      await context.close();
    }
  } finally {
    await browser.close();
  }
}

/** Gives the page the screen and the processor of Lighthouse's phone, and on request its network. */
export async function makePhone(page: Page, { network }: { network: boolean }): Promise<void> {
  await page.setViewportSize({ width: 412, height: 823 });
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  if (network)
    await devTools.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: 150, downloadThroughput: 1_638_400 / 8, uploadThroughput: 675_000 / 8 },
    });
}
