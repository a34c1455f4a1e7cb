import type { Locator } from '@playwright/test';

/** Presses Tab until `element` has the focus. */
export async function tabTo(element: Locator) {
  for (let press = 0; press < 200; press += 1) {
    if (await element.evaluate((it) => it === document.activeElement)) return;
    await element.page().keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${element}.`);
}
