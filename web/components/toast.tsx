import { createContext, type ReactNode, use, useCallback, useEffect, useRef, useState } from 'react';
import { IconButton } from './button.tsx';
import { Check, X } from './icons.tsx';
import styles from './toast.module.css';

/** Long enough to be read twice; it waits while the pointer or the focus is on a notice. */
const stayMs = 10_000;

type Options = {
  /** What can be done about it, for as long as the notice stays. */
  action?: { label: string; run: () => void };
  /** Gives the action the focus, for whoever came by keyboard: the notice then waits. */
  focus?: boolean;
};
type Toast = Options & { id: number; message: string };
/** Shows a notice; what it returns takes the notice away. */
export type Notify = (message: string, options?: Options) => () => void;

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
  const region = useRef<HTMLDivElement>(null);

  const close = useCallback((id: number) => {
    // The closed notice takes the focus with it, and the pointer's or the focus's leave event.
    if (region.current?.contains(document.activeElement)) document.querySelector('main')?.focus();
    setToasts((before) => before.filter((toast) => toast.id !== id));
    setHeld(false);
  }, []);
  const notify = useCallback<Notify>(
    (message, options) => {
      lastId += 1;
      const id = lastId;
      setToasts((before) => [...before, { ...options, id, message }]);
      return () => close(id);
    },
    [close],
  );

  return (
    <ToastContext value={notify}>
      {children}
      {/* Always there: a live region is only announced when it existed before its words. */}
      <div
        ref={region}
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

type ItemProps = Toast & { held: boolean; onClose: (id: number) => void };

function ToastItem({ id, message, action, focus = false, held, onClose }: ItemProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (focus) button.current?.focus();
  }, [focus]);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(onClose, stayMs, id);
    return () => clearTimeout(timer);
  }, [id, held, onClose]);

  return (
    <div className={styles.toast}>
      <Check />
      <p>{message}</p>
      {action && (
        <button
          ref={button}
          type="button"
          className={styles.action}
          onClick={() => {
            onClose(id);
            action.run();
          }}
        >
          {action.label}
        </button>
      )}
      <IconButton label="Fechar aviso" className={styles.close} onClick={() => onClose(id)}>
        <X />
      </IconButton>
    </div>
  );
}
