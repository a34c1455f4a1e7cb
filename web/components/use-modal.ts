import { type MouseEvent, type PointerEvent, type SyntheticEvent, useLayoutEffect, useRef } from 'react';

/**
 * Opens a `<dialog>` as a modal while it is mounted. When the dialog closes, the focus returns to the element
 * that had it before. Escape and a click on the backdrop call `onClose`. Returns the props of the `<dialog>`.
 */
export function useModal(onClose: () => void) {
  const ref = useRef<HTMLDialogElement>(null);
  const pressedBeside = useRef(false);

  useLayoutEffect(() => {
    const element = ref.current;
    // Without a gutter, the page shifts sideways when its scroll bar disappears.
    if (window.innerWidth > document.documentElement.clientWidth) element?.setAttribute('data-gutter', '');
    element?.showModal();
    // Close the dialog before React removes it, so that the browser returns the focus.
    return () => element?.close();
  }, []);

  // A click on the backdrop has the dialog as its target, but its position is outside the dialog's box.
  function isBeside({ target, clientX, clientY }: MouseEvent) {
    if (target !== ref.current) return false;
    const box = ref.current.getBoundingClientRect();
    return clientX < box.left || clientX > box.right || clientY < box.top || clientY > box.bottom;
  }

  return {
    ref,
    onCancel(event: SyntheticEvent) {
      // A file input inside the dialog fires the same event when its file chooser is cancelled.
      if (event.target !== ref.current) return;
      event.preventDefault();
      onClose();
    },
    onClose() {
      // When the user presses Escape twice, some browsers close the dialog without a cancel event. Open it
      // again, because `onClose` may ask a question and keep the dialog open.
      if (!ref.current || ref.current.open) return;
      reopen(ref.current);
      onClose();
    },
    onPointerDown(event: PointerEvent) {
      pressedBeside.current = isBeside(event);
    },
    onClick(event: MouseEvent) {
      if (pressedBeside.current && isBeside(event)) onClose();
    },
  };
}

/** Opens a dialog again. Then reopens the dialogs that are open inside it, so that they are on top. */
function reopen(dialog: HTMLDialogElement) {
  dialog.showModal();
  for (const inner of dialog.querySelectorAll<HTMLDialogElement>('dialog:modal')) {
    inner.close();
    inner.showModal();
  }
}
