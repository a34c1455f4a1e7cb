import { type FocusEvent, type RefObject, useEffect, useRef } from 'react';

/**
 * Keeps the focus in a group of controls. When a change of `state` removes the focused control, the focus
 * moves to the file input, or to the first button if no file input is visible.
 * @returns props for the group's element
 */
export function useKeptFocus(group: RefObject<HTMLElement | null>, state: string) {
  const inside = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: controls disappear when the state changes.
  useEffect(() => {
    const active = document.activeElement;
    // A control that has just been hidden keeps the focus until the next paint.
    const lost = active === document.body || (active instanceof HTMLElement && active.hidden);
    if (!inside.current || !lost) return;
    const find = (selector: string) => group.current?.querySelector<HTMLElement>(selector);
    (find('input[type="file"]:not([hidden])') ?? find('button'))?.focus({ preventScroll: true });
  }, [state, group]);
  return {
    onFocus: () => {
      inside.current = true;
    },
    onBlur: ({ relatedTarget, currentTarget }: FocusEvent) => {
      // If `relatedTarget` is null, the control was removed, or the user pressed an element that takes no
      // focus. The group then still counts as focused.
      if (relatedTarget && !currentTarget.contains(relatedTarget)) inside.current = false;
    },
  };
}
