import { createContext, type ReactNode, use, useCallback, useEffect, useRef, useState } from 'react';
import { loadChunk } from '#client/load-chunk.ts';
import { IconButton } from './button.tsx';
import { Check, X } from './icons.tsx';
import { Link } from './link.tsx';
import styles from './toast.module.css';

/**
 * How long a notice stays: enough to read it twice. The time restarts when the pointer or the focus leaves
 * the notices.
 */
const stayMs = 10_000;

type Options = {
  /** An action that the user can take while the notice is visible. */
  action?: { label: string; run: () => void } | { label: string; to: string };
  /** True if the notice does not report a success. The notice then has no check mark. */
  plain?: boolean;
  /** Moves the focus to the action, for keyboard users. The notice stays while the action has the focus. */
  focus?: boolean;
};
type Toast = Options & { id: number; message: ReactNode };
/** Shows a notice and returns a function that removes it. */
export type Notify = (message: ReactNode, options?: Options) => () => void;

const ToastContext = createContext<Notify | undefined>(undefined);

/** Returns the function that shows notices. A notice survives navigations. */
export function useToast(): Notify {
  const notify = use(ToastContext);
  if (!notify) throw new Error('useToast needs a ToastProvider around it');
  return notify;
}

let lastId = 0;

/** Stores and shows the notices. Put it around all content that navigations replace, so that notices stay. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([]);
  const [held, setHeld] = useState(false);
  const region = useRef<HTMLDivElement>(null);

  const close = useCallback((id: number) => {
    // Removing a notice that has the focus would lose the focus, and no event would set `held` to false.
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

  useEffect(() => {
    if (toasts.length === 0) return;
    const place = () =>
      void loadChunk('components/place-toasts', () => import('./place-toasts.ts')).then(
        ({ placeToasts }) => region.current && placeToasts(region.current),
        // Without this code, the notices stay at the bottom of the window.
        () => {},
      );
    place();
    for (const event of ['scrollend', 'resize']) window.addEventListener(event, place);
    return () => {
      for (const event of ['scrollend', 'resize']) window.removeEventListener(event, place);
    };
  }, [toasts]);

  return (
    <ToastContext value={notify}>
      {children}
      {/* Keep the empty element: screen readers announce text only in a live region that already exists. */}
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

function ToastItem({ id, message, action, plain, focus = false, held, onClose }: ItemProps) {
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
      {!plain && <Check />}
      <p>{message}</p>
      {action && 'to' in action && (
        <Link to={action.to} className={styles.action} onClick={() => onClose(id)}>
          {action.label}
        </Link>
      )}
      {action && 'run' in action && (
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
