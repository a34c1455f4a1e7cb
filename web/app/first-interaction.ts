const signs = ['scroll', 'pointermove', 'pointerdown', 'keydown', 'focusin', 'click'] as const;

/**
 * Resolves at the first sign that somebody does something with the page: what a finished page shows but nobody
 * has touched yet needs no code. At once where pages are rendered, and when the sign came before this code.
 */
export const firstInteraction: Promise<void> = new Promise((resolve) => {
  if (typeof window === 'undefined' || cameBefore()) return resolve();
  function end() {
    for (const sign of signs) window.removeEventListener(sign, end);
    resolve();
  }
  for (const sign of signs) window.addEventListener(sign, end, { passive: true });
});

/** A reload in the middle of the page, a link to one of its sections, a field that is being filled in. */
function cameBefore(): boolean {
  const focused = document.activeElement;
  return window.scrollY > 0 || window.location.hash !== '' || (focused !== null && focused !== document.body);
}
