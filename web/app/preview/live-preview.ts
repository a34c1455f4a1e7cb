import { flushSync } from 'react-dom';
import type { Services } from '../services.ts';
import { createSiteContent } from '../site-content.ts';
import { type EditorMessage, isFrom, type PreviewMessage } from './messages.ts';

/**
 * Shows what the admin types, if the page is in the editor's frame. Does nothing outside a frame.
 * @param show renders the page with other services
 */
export function startLivePreview(services: Services, show: (services: Services) => void) {
  const editor = window.parent;
  if (editor === window) return;
  // Simulate the first interaction, because some parts of the page load their code only after it.
  window.dispatchEvent(new Event('scroll'));
  window.addEventListener('message', (event: MessageEvent<EditorMessage>) => {
    if (!isFrom(event, editor) || event.data.kind !== 'acolhe:typed') return;
    const { sections, words } = event.data;
    const content = createSiteContent(services.content.site, sections);
    // Render synchronously, so that the page already contains `words` when `scrollToWords` looks for them.
    flushSync(() => show({ ...services, content }));
    if (words) scrollToWords(words);
  });
  const ready: PreviewMessage = { kind: 'acolhe:preview-ready' };
  editor.postMessage(ready, window.location.origin);
}

/** How many characters to look for: few, because the page can split a longer text into several elements. */
const comparedLength = 40;

/**
 * The part of the window that the admin sees, as fractions of the window's height. Bars cover the edges, and
 * the editor shows only the upper part of the preview's frame until the admin scrolls.
 */
const inView = { from: 0.1, to: 0.6 };

/** The mark at the beginning of a list item. The page shows the item without this mark. */
const mark = /^\s*(?:[-*•–]|\d{1,3}[.)])\s+/;

let waiting: MutationObserver | undefined;

/**
 * Scrolls to the element with these words, if it is not visible. If the page does not contain the words yet,
 * code that is still loading may render them later. The function then waits for them until its next call.
 */
function scrollToWords(words: string): void {
  const wanted = words.replace(mark, '').trim().slice(0, comparedLength);
  requestAnimationFrame(() => {
    waiting?.disconnect();
    if (wanted === '' || scrollToElementWith(wanted)) return;
    waiting = new MutationObserver((_changes, observer) => {
      if (scrollToElementWith(wanted)) observer.disconnect();
    });
    waiting.observe(document.body, { childList: true, characterData: true, subtree: true });
  });
}

/** @returns false if the page does not contain the words */
function scrollToElementWith(words: string): boolean {
  const element = elementWith(words, document.body, isVisible) ?? openedElementWith(words);
  if (!element) return false;
  const { top, bottom } = element.getBoundingClientRect();
  const inside = top > window.innerHeight * inView.from && bottom < window.innerHeight * inView.to;
  // `scrollIntoView` would also scroll the editor, which contains this page.
  if (!inside) window.scrollBy({ top: (top + bottom - window.innerHeight) / 2 });
  return true;
}

/** Safari 17.3 has no `checkVisibility`, and hides the content of closed `<details>` with `display: none`. */
const isVisible = (element: Element) =>
  // oxlint-disable-next-line no-restricted-properties
  element.checkVisibility?.() ?? element.getClientRects().length > 0;

/** Finds the words in a closed `<details>`, for example in the answer to a question, and opens it. */
function openedElementWith(words: string): Element | undefined {
  const main = document.querySelector('main') ?? document.body;
  const element = elementWith(words, main, (one) => one.closest('details') !== null);
  const closed = element?.closest('details');
  if (!closed) return undefined;
  closed.open = true;
  return element;
}

function elementWith(words: string, root: Element, fits: (element: Element) => boolean): Element | undefined {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, (node) =>
    node.nodeValue?.includes(words) && node.parentElement && fits(node.parentElement)
      ? NodeFilter.FILTER_ACCEPT
      : NodeFilter.FILTER_SKIP,
  );
  return walker.nextNode()?.parentElement ?? undefined;
}
