const events = ['scroll', 'pointermove', 'pointerdown', 'keydown', 'focusin', 'click'] as const;

/**
 * Resolves at the first interaction. Some parts of a prerendered page load their code only after this moment.
 * Resolves immediately on the server and when the user has already interacted.
 */
export const firstInteraction: Promise<void> = new Promise((resolve) => {
  if (typeof window === 'undefined' || hasInteracted()) return resolve();
  function end() {
    for (const event of events) window.removeEventListener(event, end);
    resolve();
  }
  for (const event of events) window.addEventListener(event, end, { passive: true });
});

/** True if the page is already scrolled, its URL has a fragment, or an element has the focus. */
function hasInteracted(): boolean {
  const focused = document.activeElement;
  return window.scrollY > 0 || window.location.hash !== '' || (focused !== null && focused !== document.body);
}
