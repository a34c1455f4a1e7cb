import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Activity } from '#contract/activity.ts';
import type { ListName } from '#contract/axes.ts';
import { expect, type Watch } from './journey.ts';
import type { Site, TestUser, TestUsers } from './site.ts';

/** What a test has, to bring its page into a state. */
export type Stage = {
  page: Page;
  site: Site;
  users: TestUsers & { staff?: TestUser; editor?: TestUser };
  watch: Watch;
};

/** A page, or a state of a page, that must be accessible. */
export type State = {
  name: string;
  /** The path to open. Without it, the state follows from the state before. */
  path?: string | ((stage: Stage) => Promise<string>);
  /** Who opens the path. Without it, a visitor does. */
  role?: keyof Stage['users'];
  /** Brings the page into the state. A state with a path and without this function is a whole page. */
  prepare?: (stage: Stage) => Promise<unknown>;
  /** A text that the page shows in this state. */
  shows?: string | RegExp;
  /** True if Tab leads through the state. Without it, true for whole pages. */
  isWalked?: boolean;
  /** The window at the full level, for a state that not every width has. */
  onlyAt?: { width: number; height: number };
};

/** States that one server shows one after the other, and the data they need. */
export type Group = { name: string; fill: (stage: Stage) => Promise<unknown>; states: State[] };

export const pagesOf = (paths: string[], role?: State['role']): State[] =>
  paths.map((path) => ({ name: path, path, ...(role && { role }) }));

/** Finds a practice in one of the lists, by its title. */
export async function findPractice(
  { users }: Stage,
  title: string,
  list: ListName = 'mindActsList',
): Promise<Activity> {
  const { activities } = await users.admin.client.documents.getActivities(list);
  const found = activities.find((activity) => activity.title === title);
  if (!found) throw new Error(`There is no practice ${title}.`);
  return found;
}

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Runs axe on the current page: all rules for WCAG 2.2 A and AA and axe's best practices in the light theme,
 * and only the contrast rule in the dark theme.
 * @param what names the state in a failure message
 */
export async function expectNoViolations(
  page: Page,
  what: string,
  themes: ('light' | 'dark')[] = ['light', 'dark'],
) {
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    const rules: RunOptions =
      colorScheme === 'light'
        ? { runOnly: standards }
        : { runOnly: { type: 'rule', values: ['color-contrast'] } };
    expect.soft(await violationsOf(page, rules), `${what}, ${colorScheme}`).toEqual([]);
  }
  if (themes.includes('dark')) await page.emulateMedia({ colorScheme: 'light' });
}

/** Returns the HTML of each element that breaks a rule, with the name of the rule. */
async function violationsOf(page: Page, rules: RunOptions): Promise<string[]> {
  // A document keeps axe until the browser opens another page, so add it only once.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  // Skips slow work whose results are not reported: selectors, details of passed rules, media files, frames.
  const options: RunOptions = {
    resultTypes: ['violations'],
    selectors: false,
    preload: false,
    iframes: false,
    ...rules,
  };
  return page.evaluate(async (chosen) => {
    const { axe } = window as unknown as Axe;
    // A link that the bar at the top half covers counts as too small.
    scrollTo({ top: 0, behavior: 'instant' });
    const { violations } = await axe.run(document, chosen);
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`));
  }, options);
}

type Axe = { axe: { run(place: Document, options: RunOptions): Promise<AxeResults> } };

/** Checks that the page does not scroll sideways, and that no text touches the edge of its box. */
export async function expectFits(page: Page, what: string) {
  expect.soft(await overflowOf(page), `${what}, wider than the window`).toBe(0);
  expect.soft(await crampedTextsOf(page), `${what}, texts at the edge of their box`).toEqual([]);
}

/** The number of pixels by which the page is wider than the window. */
export const overflowOf = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** The smallest allowed distances in CSS pixels between a text and the edges of its box. */
const least = { beside: 6, above: 3 };

/**
 * Finds texts that touch or cross the edge of their box. The box of a text is the nearest element around it
 * that has a border on all sides, or a background and round corners.
 */
const crampedTextsOf = (page: Page): Promise<string[]> =>
  page.evaluate(({ beside, above }) => {
    const isVisible = (colour: string) => colour !== 'transparent' && !/[,/] ?0\)$/.test(colour);
    const isBox = (element: Element) => {
      const style = getComputedStyle(element);
      if (style.display === 'inline') return false;
      const isBordered = (['Left', 'Right', 'Top', 'Bottom'] as const).every(
        (side) =>
          Number.parseFloat(style[`border${side}Width`]) > 0 && isVisible(style[`border${side}Color`]),
      );
      const isRound = Number.parseFloat(style.borderTopLeftRadius) > 0;
      return isBordered || (isRound && isVisible(style.backgroundColor));
    };
    const scrolls = (element: Element) =>
      element.scrollHeight > element.clientHeight &&
      ['auto', 'scroll'].includes(getComputedStyle(element).overflowY);
    /** Returns no box for a text inside a scrolling element: the text may extend beyond that element. */
    const boxOf = (element: Element | null): Element | undefined => {
      if (!element || element === document.body || scrolls(element)) return undefined;
      return isBox(element) ? element : boxOf(element.parentElement);
    };
    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const parent = text.parentElement;
      if (!parent?.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      if (!text.textContent?.trim() || parent.closest('.visually-hidden, select, noscript')) continue;
      const box = boxOf(parent)?.getBoundingClientRect();
      if (!box) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const isCramped = [...range.getClientRects()].some(
        ({ left, right, top, bottom, width }) =>
          width > 0 &&
          (Math.min(left - box.left, box.right - right) < beside ||
            Math.min(top - box.top, box.bottom - bottom) < above),
      );
      if (isCramped) found.push(`${text.textContent.trim()}: ${parent.outerHTML.slice(0, 100)}`);
    }
    return found;
  }, least);

type Stop = { name: string; visible: boolean; marked: boolean };

/**
 * Checks that Tab leads through the page and out of it. Each element on the way must be visible and must show
 * that it has the focus.
 */
export async function expectWalkable(page: Page, what: string) {
  // Content that arrives late would move the stops.
  await page.waitForLoadState('networkidle');
  const stops = await tabThrough(page);
  expect.soft(stops.length, what).toBeGreaterThan(1);
  expect
    .soft(
      stops.filter(({ visible, marked }) => !visible || !marked),
      what,
    )
    .toEqual([]);
}

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
