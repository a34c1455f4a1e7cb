import type { Page } from '@playwright/test';

/** The smallest allowed distances in CSS pixels between a text and the edges of its box. */
const least = { beside: 6, above: 3 };

/**
 * Finds texts that touch or cross the edge of their box. The box of a text is the nearest element around it
 * that has a border on all sides, or a background and round corners.
 */
export const crampedTextsOf = (page: Page): Promise<string[]> =>
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
