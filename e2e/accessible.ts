import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';
import { crampedTextsOf } from './cramped-texts.ts';
import { expect } from './journey.ts';

/**
 * A wide window, the same window zoomed to 200 % (WCAG 1.4.4), and a narrow window (WCAG 1.4.10). Zoom halves
 * the width and height in CSS pixels. It does not change colours, so the zoomed window skips the dark theme.
 */
const windows: WindowSize[] = [
  { width: 1280, height: 800 },
  { width: 640, height: 400, dark: false },
  { width: 320, height: 800 },
];

/** Further sizes, at which pages are checked without axe. */
const otherWindows = [
  { width: 768, height: 1024 },
  { width: 1920, height: 1080 },
];

type WindowSize = { width: number; height: number; dark?: boolean };

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Runs axe on the current page. The light theme is checked with axe's rules for WCAG 2.2 A and AA and with
 * its best practices, the dark theme only with the contrast rule. Also checks that the page does not scroll
 * sideways, and that no text touches the edge of its box.
 * @param what names the state in a failure message
 * @param options `sizes`: the window sizes to check, for a state that some of the default sizes do not have.
 * `within`: a CSS selector for the only part of the page that differs from an already checked state
 */
export async function expectAccessible(
  page: Page,
  what: string,
  { sizes = windows, within }: { sizes?: WindowSize[]; within?: string } = {},
) {
  const before = page.viewportSize();
  const check = async (rules: RunOptions, state: string) =>
    expect(await violationsOf(page, rules, within), `${what}, ${state}`).toEqual([]);
  const expectFits = async (width: number) => {
    expect(await overflowOf(page), `${what} is wider than ${width} px`).toBe(0);
    expect(await crampedTextsOf(page), `${what}, texts at the edge of their box, ${width} px`).toEqual([]);
  };
  for (const { dark = true, ...size } of sizes) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme: 'light' });
    await check({ runOnly: standards }, `light, ${size.width} px`);
    if (dark) {
      await page.emulateMedia({ colorScheme: 'dark' });
      await check({ runOnly: { type: 'rule', values: ['color-contrast'] } }, `dark, ${size.width} px`);
    }
    await expectFits(size.width);
  }
  for (const size of sizes === windows ? otherWindows : []) {
    await page.setViewportSize(size);
    await expectFits(size.width);
  }
  if (before) await page.setViewportSize(before);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Returns the HTML of each element that breaks a rule, with the name of the rule. */
async function violationsOf(page: Page, rules: RunOptions, within: string | undefined): Promise<string[]> {
  // A document keeps axe until the browser opens another page, so add it only once.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  // Skips slow work whose results are not reported: selectors, details of passed rules, media files.
  const options: RunOptions = { resultTypes: ['violations'], selectors: false, preload: false, ...rules };
  return page.evaluate(
    async ([place, chosen]) => {
      const { axe } = window as unknown as Axe;
      const { violations } = await axe.run(place ?? document, chosen);
      return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`));
    },
    [within, options] as const,
  );
}

type Axe = { axe: { run(place: Document | string, options: RunOptions): Promise<AxeResults> } };

/** The number of pixels by which the page is wider than the window. */
export const overflowOf = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
