import { createContext, type ReactNode, use, useCallback, useEffect, useRef, useState } from 'react';
import { useServices } from '#web/app/services.ts';
import { IconButton } from './button.tsx';
import { Check, X } from './icons.tsx';
import { Link } from './link.tsx';
import styles from './toast.module.css';

/**
 * How long a toast stays: enough to read it twice. The time restarts when the pointer or the focus leaves
 * the toasts.
 */
const stayMs = 10_000;

type Options = {
  /** An action that the user can take while the toast is visible. */
  action?: { label: string; run: () => void } | { label: string; to: string };
  /** True if the toast does not report a success. The toast then has no check mark. */
  plain?: boolean;
  /** Moves the focus to the action, for keyboard users. The toast stays while the action has the focus. */
  focus?: boolean;
};
type Toast = Options & { id: number; message: ReactNode };
/** Shows a toast and returns a function that removes it. */
export type Notify = (message: ReactNode, options?: Options) => () => void;

const ToastContext = createContext<Notify | undefined>(undefined);

/** Returns the function that shows toasts. A toast survives navigations. */
export function useToast(): Notify {
  const notify = use(ToastContext);
  if (!notify) throw new Error('useToast needs a ToastProvider around it');
  return notify;
}

let lastId = 0;

/** Stores and shows the toasts. Put it around all content that navigations replace, so that toasts stay. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([]);
  const [held, setHeld] = useState(false);
  const region = useRef<HTMLDivElement>(null);

  const close = useCallback((id: number) => {
    // Removing a toast that has the focus would lose the focus, and no event would set `held` to false.
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

  const { session } = useServices();
  useEffect(() => {
    let uid: string | undefined;
    const follow = () => {
      const now = session.getSnapshot();
      if (now.status === 'loading') return;
      const before = uid;
      uid = now.status === 'signed-in' ? now.session.user.uid : undefined;
      // Toasts can name what the user did, so they end with the user's session.
      if (before !== undefined && before !== uid) setToasts([]);
    };
    follow();
    return session.subscribe(follow);
  }, [session]);

  useEffect(() => {
    if (toasts.length === 0) return;
    const place = () => region.current && placeToasts(region.current);
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

const controls = 'a, button, input, select, textarea, summary, label';
/** The search for a place where the toasts cover no control moves them up in steps of this many pixels. */
const step = 8;

/** Asks for the visibility, because hidden content keeps its place. Safari 17.3 cannot ask for all of it. */
const isVisible = (control: Element) =>
  // oxlint-disable-next-line no-restricted-properties
  control.checkVisibility?.({ visibilityProperty: true }) ??
  getComputedStyle(control).visibility === 'visible';

/** Moves the toasts to the lowest place in the window, if any, where they cover no control. */
function placeToasts(region: HTMLElement): void {
  region.style.removeProperty('--toast-rise');
  const toasts = [...region.children].map((toast) => toast.getBoundingClientRect());
  const others = [...document.querySelectorAll(controls)]
    .filter((control) => !region.contains(control) && isVisible(control))
    .map((control) => control.getBoundingClientRect())
    .filter(({ width, top, bottom }) => width > 1 && bottom > 0 && top < window.innerHeight);
  const highest = Math.min(...toasts.map(({ top }) => top)) - window.innerHeight / 4;
  for (let rise = 0; rise < highest; rise += step) {
    const covers = toasts.some((toast) =>
      others.some(
        ({ left, right, top, bottom }) =>
          left < toast.right && right > toast.left && top < toast.bottom - rise && bottom > toast.top - rise,
      ),
    );
    if (covers) continue;
    region.style.setProperty('--toast-rise', `${rise}px`);
    return;
  }
}
