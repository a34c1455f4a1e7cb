import { createContext, type ReactNode, use, useCallback, useEffect, useState } from 'react';
import { IconButton } from './button.tsx';
import { Check, X } from './icons.tsx';
import styles from './toast.module.css';

/** Long enough to be read twice; it waits while the pointer or the focus is on a notice. */
const stayMs = 10_000;

type Toast = { id: number; message: string };
type Notify = (message: string) => void;

const ToastContext = createContext<Notify | undefined>(undefined);

/** Tells the person something that has happened. The notice survives navigations. */
export function useToast(): Notify {
  const notify = use(ToastContext);
  if (!notify) throw new Error('useToast needs a ToastProvider around it');
  return notify;
}

let lastId = 0;

/** Keeps the notices and shows them. Belongs around everything that navigations replace. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([]);
  const [held, setHeld] = useState(false);

  const notify = useCallback((message: string) => {
    lastId += 1;
    setToasts((before) => [...before, { id: lastId, message }]);
  }, []);
  const close = useCallback((id: number) => {
    setToasts((before) => before.filter((toast) => toast.id !== id));
    // The closed notice takes the pointer's or the focus's leave event with it.
    setHeld(false);
  }, []);

  return (
    <ToastContext value={notify}>
      {children}
      {/* Always there: a live region is only announced when it existed before its words. */}
      <div
        role="status"
        className={styles.region}
        onPointerEnter={() => setHeld(true)}
        onPointerLeave={() => setHeld(false)}
        onFocus={() => setHeld(true)}
        onBlur={() => setHeld(false)}
      >
        {toasts.map((toast) => (
          <ToastItem key={toast.id} {...toast} held={held} onClose={close} />
        ))}
      </div>
    </ToastContext>
  );
}

function ToastItem({ id, message, held, onClose }: Toast & { held: boolean; onClose: (id: number) => void }) {
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(onClose, stayMs, id);
    return () => clearTimeout(timer);
  }, [id, held, onClose]);

  return (
    <div className={styles.toast}>
      <Check />
      <p>{message}</p>
      <IconButton label="Fechar aviso" className={styles.close} onClick={() => onClose(id)}>
        <X />
      </IconButton>
    </div>
  );
}
