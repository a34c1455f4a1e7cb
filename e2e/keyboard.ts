import type { Locator, Page } from '@playwright/test';
import { expect } from './journey.ts';

type Stop = { name: string; visible: boolean; marked: boolean };

/** Presses Tab until `element` has the focus. */
export async function tabTo(element: Locator) {
  for (let press = 0; press < 200; press += 1) {
    if (await element.evaluate((it) => it === document.activeElement)) return;
    await element.page().keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${element}.`);
}

/**
 * Checks that Tab leads through the page and out of it. Each element on the way must be visible and must show
 * that it has the focus.
 */
export async function expectWalkable(page: Page) {
  const stops = await tabThrough(page);
  expect(stops.length).toBeGreaterThan(4);
  expect(stops.filter(({ visible }) => !visible)).toEqual([]);
  expect(stops.filter(({ marked }) => !marked)).toEqual([]);
}

/** Presses Tab until the focus leaves the page, and returns every stop. */
async function tabThrough(page: Page): Promise<Stop[]> {
  const stops: Stop[] = [];
  for (let press = 0; press < 200; press += 1) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const focused = document.activeElement;
      if (!focused || focused === document.body) return undefined;
      // Some controls show the focus on their parent or on an inner element.
      const bearers = [focused, focused.parentElement, ...focused.querySelectorAll('*')];
      const styles = bearers.flatMap((element) => (element ? [getComputedStyle(element)] : []));
      const box = focused.getBoundingClientRect();
      return {
        name: `${focused.tagName} ${focused.textContent?.trim().slice(0, 40)}`,
        visible: box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0,
        // The browser's player shows the focus on an inner button, which scripts cannot see.
        marked:
          focused.tagName === 'AUDIO' ||
          styles.some(({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && outlineWidth !== '0px'),
      };
    });
    if (!stop) return stops;
    stops.push(stop);
  }
  throw new Error(`Tab does not come to an end: ${stops.at(-1)?.name}`);
}
