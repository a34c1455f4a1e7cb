import { type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { IconButton } from './button.tsx';
import styles from './dialog.module.css';
import { X } from './icons.tsx';

/**
 * A modal dialog, open for as long as it is mounted: `{target && <Dialog …/>}`. It closes by Escape, by its
 * button and by a press beside it, each through `onClose`; the focus then returns to where it was.
 */
export function Dialog({
  title,
  onClose,
  footer,
  size = 'wide',
  children,
}: {
  title: string;
  onClose: () => void;
  footer?: ReactNode;
  size?: 'narrow' | 'wide';
  children: ReactNode;
}) {
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const pressedBeside = useRef(false);

  useLayoutEffect(() => {
    const element = dialog.current;
    // The page must not jump sideways when its scroll bar goes.
    if (window.innerWidth > document.documentElement.clientWidth) element?.setAttribute('data-gutter', '');
    element?.showModal();
    // Closing before it leaves the page is what gives the focus back.
    return () => element?.close();
  }, []);

  // The backdrop belongs to the dialog element: a press beside the sheet is one outside its box.
  function isBeside({ target, clientX, clientY }: MouseEvent) {
    if (target !== dialog.current) return false;
    const box = dialog.current.getBoundingClientRect();
    return clientX < box.left || clientX > box.right || clientY < box.top || clientY > box.bottom;
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard closes by Escape and by the button.
    <dialog
      ref={dialog}
      className={styles.sheet}
      data-size={size}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // A file chooser inside the dialog sends the same event when it is dismissed.
        if (event.target !== dialog.current) return;
        event.preventDefault();
        onClose();
      }}
      onClose={() => {
        // Browsers may close without asking when Escape is pressed twice.
        if (!dialog.current?.open) onClose();
      }}
      onPointerDown={(event) => {
        pressedBeside.current = isBeside(event);
      }}
      onClick={(event) => {
        if (pressedBeside.current && isBeside(event)) onClose();
      }}
    >
      <header className={styles.head}>
        <h2 id={titleId}>{title}</h2>
        <IconButton label="Fechar" className={styles.close} onClick={onClose}>
          <X />
        </IconButton>
      </header>
      <div className={styles.body}>{children}</div>
      {footer && <footer className={styles.foot}>{footer}</footer>}
    </dialog>
  );
}
