/** A text of this length finds its element; a longer one can be split into several elements. */
const comparedLength = 40;

/**
 * Parts of the window's height. Bars cover its edges, and the editor shows only the upper part of the frame
 * until the admin scrolls.
 */
const inView = { from: 0.1, to: 0.6 };

/** Scrolls to the element with these words, after the page shows them, if it is not visible. */
export function scrollToWords(words: string): void {
  const wanted = words.trim().slice(0, comparedLength);
  if (wanted === '') return;
  requestAnimationFrame(() => {
    const element = elementWith(wanted, document.body, isVisible) ?? openedElementWith(wanted);
    if (!element) return;
    const { top, bottom } = element.getBoundingClientRect();
    if (top > window.innerHeight * inView.from && bottom < window.innerHeight * inView.to) return;
    // `scrollIntoView` would also scroll the editor, which contains this page.
    window.scrollBy({ top: (top + bottom - window.innerHeight) / 2 });
  });
}

const isVisible = (element: Element) => element.checkVisibility();

/** Finds the words in a closed part of the page, for example the answer to a question, and opens it. */
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
