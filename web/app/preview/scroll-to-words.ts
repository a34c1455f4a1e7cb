/** A text of this length finds its element; a longer one can be split into several elements. */
const comparedLength = 40;

/** Scrolls to the element with these words, after the page shows them, if it is not visible. */
export function scrollToWords(words: string): void {
  const wanted = words.trim().slice(0, comparedLength);
  if (wanted === '') return;
  requestAnimationFrame(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT, (node) =>
      node.nodeValue?.includes(wanted) && node.parentElement?.checkVisibility()
        ? NodeFilter.FILTER_ACCEPT
        : NodeFilter.FILTER_SKIP,
    );
    const element = walker.nextNode()?.parentElement;
    if (!element) return;
    const { top, bottom } = element.getBoundingClientRect();
    if (top < 0 || bottom > window.innerHeight) element.scrollIntoView({ block: 'center' });
  });
}
