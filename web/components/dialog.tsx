import { type ReactNode, useId } from 'react';
import { IconButton } from './button.tsx';
import styles from './dialog.module.css';
import { X } from './icons.tsx';
import { useModal } from './use-modal.ts';

/**
 * A modal dialog that is open while it is mounted: `{target && <Dialog …/>}`. Escape, the close button and a
 * click on the backdrop call `onClose`. After closing, the focus returns to the element that had it before.
 */
export function Dialog({
  title,
  onClose,
  footer,
  size = 'wide',
  children,
}: {
  title: ReactNode;
  onClose: () => void;
  footer?: ReactNode;
  size?: 'narrow' | 'wide' | 'widest';
  children: ReactNode;
}) {
  const titleId = useId();
  const modal = useModal(onClose);

  return (
    <dialog className={styles.dialog} data-size={size} aria-labelledby={titleId} {...modal}>
      <div className={styles.head}>
        <h2 id={titleId}>{title}</h2>
        <IconButton label="Fechar" className={styles.close} onClick={onClose}>
          <X />
        </IconButton>
      </div>
      <div className={styles.body}>{children}</div>
      {footer && <div className={styles.foot}>{footer}</div>}
    </dialog>
  );
}
