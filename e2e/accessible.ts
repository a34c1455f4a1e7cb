import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './journey.ts';

/**
 * Wide, wide at 200 % zoom (WCAG 1.4.4), which halves the CSS pixels in each direction, and narrow (WCAG
 * 1.4.10). Zoom does not change colours, so the zoomed window is checked only in light.
 */
const windows: WindowSize[] = [
  { width: 1280, height: 800 },
  { width: 640, height: 400, schemes: ['light'] },
  { width: 320, height: 800 },
];

const bothSchemes = ['light', 'dark'] as const;
type WindowSize = { width: number; height: number; schemes?: readonly (typeof bothSchemes)[number][] };

/**
 * Runs axe on the current page: in light with the rules of WCAG 2.2 A and AA and axe's best practices, in
 * dark only with the rule of contrast. Also checks that the page does not scroll sideways.
 * @param what names the state in a failure message
 * @param sizes of the window, if the state does not exist in all the default sizes
 */
export async function expectAccessible(page: Page, what: string, sizes = windows) {
  const before = page.viewportSize();
  for (const { schemes = bothSchemes, ...size } of sizes) {
    await page.setViewportSize(size);
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      // Legacy mode opens no extra page for cross-origin frames, and `resultTypes` omits the details of rules
      // that pass. Together they halve the time.
      const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode();
      if (colorScheme === 'dark') axe.withRules(['color-contrast']);
      else axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']);
      const { violations } = await axe.analyze();
      const found = violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`));
      expect(found, `${what}, ${colorScheme}, ${size.width} px`).toEqual([]);
    }
    expect(await overflowOf(page), `${what} is wider than ${size.width} px`).toBe(0);
  }
  if (before) await page.setViewportSize(before);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** The number of pixels by which the page is wider than the window. */
export const overflowOf = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
