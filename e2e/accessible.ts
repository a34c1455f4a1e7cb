import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './journey.ts';

/**
 * Wide, narrow, and a laptop's window at twice the size: that has half the pixels in each direction, and its colours
 * are those of the others.
 */
const windows: WindowSize[] = [
  { width: 1280, height: 800 },
  { width: 640, height: 400, schemes: ['light'] },
  { width: 320, height: 800 },
];

const bothSchemes = ['light', 'dark'] as const;
type WindowSize = { width: number; height: number; schemes?: readonly (typeof bothSchemes)[number][] };

/**
 * Asks axe about the page as it is: all rules in light; in dark only the contrast can differ. And nothing may be
 * wider than the window.
 * @param what names the state in a failure
 * @param sizes of the window, where the state exists in some only
 */
export async function expectAccessible(page: Page, what: string, sizes = windows) {
  const before = page.viewportSize();
  for (const { schemes = bothSchemes, ...size } of sizes) {
    await page.setViewportSize(size);
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      // Without the page of its own in which it would put together what it finds in frames of other origins.
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
