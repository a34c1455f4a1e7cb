import { type MouseEvent, type PointerEvent, type SyntheticEvent, useLayoutEffect, useRef } from 'react';

/**
 * Opens a `<dialog>` as a modal one for as long as it is mounted: the focus stays inside and then returns to where
 * it was. Escape and a press beside it lead to `onClose`. What it returns is for the element.
 */
export function useModal(onClose: () => void) {
  const ref = useRef<HTMLDialogElement>(null);
  const pressedBeside = useRef(false);

  useLayoutEffect(() => {
    const element = ref.current;
    // The page must not jump sideways when its scroll bar goes.
    if (window.innerWidth > document.documentElement.clientWidth) element?.setAttribute('data-gutter', '');
    element?.showModal();
    // Closing before it leaves the page is what gives the focus back.
    return () => element?.close();
  }, []);

  // The backdrop belongs to the dialog element: a press beside the sheet is one outside its box.
  function isBeside({ target, clientX, clientY }: MouseEvent) {
    if (target !== ref.current) return false;
    const box = ref.current.getBoundingClientRect();
    return clientX < box.left || clientX > box.right || clientY < box.top || clientY > box.bottom;
  }

  return {
    ref,
    onCancel(event: SyntheticEvent) {
      // A file chooser inside the dialog sends the same event when it is dismissed.
      if (event.target !== ref.current) return;
      event.preventDefault();
      onClose();
    },
    onClose() {
      // Browsers may close without asking when Escape is pressed twice.
      if (!ref.current?.open) onClose();
    },
    onPointerDown(event: PointerEvent) {
      pressedBeside.current = isBeside(event);
    },
    onClick(event: MouseEvent) {
      if (pressedBeside.current && isBeside(event)) onClose();
    },
  };
}
