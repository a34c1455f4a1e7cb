import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './journey.ts';

/**
 * Wide, narrow, and a laptop's window at 200 % zoom, which has half the pixels in each direction. Its colours
 * do not differ.
 */
const windows: WindowSize[] = [
  { width: 1280, height: 800 },
  { width: 640, height: 400, schemes: ['light'] },
  { width: 320, height: 800 },
];

const bothSchemes = ['light', 'dark'] as const;
type WindowSize = { width: number; height: number; schemes?: readonly (typeof bothSchemes)[number][] };

/**
 * Runs axe on the current page: all rules in light, only contrast in dark. Also checks that no element is
 * wider than the window.
 * @param what names the state in a failure message
 * @param sizes of the window, if the state does not exist in all of them
 */
export async function expectAccessible(page: Page, what: string, sizes = windows) {
  const before = page.viewportSize();
  for (const { schemes = bothSchemes, ...size } of sizes) {
    await page.setViewportSize(size);
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      // Without the extra page in which axe combines the results of cross-origin frames.
      const axe = new AxeBuilder({ page }).setLegacyMode();
      if (colorScheme === 'dark') axe.withRules(['color-contrast']);
      else axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']);
      const { violations } = await axe.analyze();
      const found = violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`));
      expect(found, `${what}, ${colorScheme}, ${size.width} px`).toEqual([]);
    }
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, `${what} is wider than ${size.width} px`).toBe(0);
  }
  if (before) await page.setViewportSize(before);
  await page.emulateMedia({ colorScheme: 'light' });
}
