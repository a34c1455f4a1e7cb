/** Input types that take no text. */
const withoutText = /^(?:button|checkbox|color|file|image|radio|range|reset|submit)$/;

/**
 * True if a key press in this element types text, or chooses in a `select`. The page's shortcuts ignore such
 * key presses.
 */
export function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !withoutText.test(target.type);
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('select, textarea'));
}
