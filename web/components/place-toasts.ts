const controls = 'a, button, input, select, textarea, summary, label';
/** The search for a place where the notices cover no control moves them up in steps of this many pixels. */
const step = 8;

/** Asks for the visibility, because hidden content keeps its place. Safari 17.3 cannot ask for all of it. */
const isVisible = (control: Element) =>
  // oxlint-disable-next-line no-restricted-properties
  control.checkVisibility?.({ visibilityProperty: true }) ??
  getComputedStyle(control).visibility === 'visible';

/** Moves the notices to the lowest place in the window, if any, where they cover no control. */
export function placeToasts(region: HTMLElement): void {
  region.style.removeProperty('--toast-rise');
  const notices = [...region.children].map((notice) => notice.getBoundingClientRect());
  const others = [...document.querySelectorAll(controls)]
    .filter((control) => !region.contains(control) && isVisible(control))
    .map((control) => control.getBoundingClientRect())
    .filter(({ width, top, bottom }) => width > 1 && bottom > 0 && top < window.innerHeight);
  const highest = Math.min(...notices.map(({ top }) => top)) - window.innerHeight / 4;
  for (let rise = 0; rise < highest; rise += step) {
    const covers = notices.some((notice) =>
      others.some(
        ({ left, right, top, bottom }) =>
          left < notice.right &&
          right > notice.left &&
          top < notice.bottom - rise &&
          bottom > notice.top - rise,
      ),
    );
    if (covers) continue;
    region.style.setProperty('--toast-rise', `${rise}px`);
    return;
  }
}
