const controls = 'a, button, input, select, textarea, summary, label';
/** The search for a place where the notices cover no control moves them up in steps of this many pixels. */
const step = 8;

/** Moves the notices to the lowest place in the window, if any, where they cover no control. */
export function placeToasts(region: HTMLElement): void {
  region.style.removeProperty('--toast-rise');
  const notices = [...region.children].map((notice) => notice.getBoundingClientRect());
  const others = [...document.querySelectorAll(controls)]
    .filter((control) => !region.contains(control) && control.checkVisibility({ visibilityProperty: true }))
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
