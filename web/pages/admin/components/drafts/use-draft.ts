import { useCallback, useEffect, useRef, useState } from 'react';
import { keepDraft, removeDraft } from './device-drafts.ts';

/** The time between the last change and storing the draft, in milliseconds. */
const quietMs = 400;

/**
 * Stores a form's values on this device while the form has unsaved changes.
 * @param key the draft's key; if `undefined`, nothing is stored
 */
export function useDraft(
  key: string | undefined,
  { values, base, unsaved }: { values: unknown; base?: unknown; unsaved: boolean },
) {
  const [openedAt] = useState(Date.now);
  const [kept, setKept] = useState(false);
  const over = useRef(false);
  /** Writes the latest changes to the draft; `undefined` if the draft has all of them. */
  const write = useRef<() => void>(undefined);

  useEffect(() => {
    if (!key || over.current) return;
    if (!unsaved) {
      // Cancel the pending write, because leaving the page would run it and store older values.
      write.current = undefined;
      removeDraft(key);
      setKept(false);
      return;
    }
    write.current = () => {
      write.current = undefined;
      if (!over.current) setKept(keepDraft(key, { values, base, at: Date.now() }, openedAt));
    };
    const timer = setTimeout(() => write.current?.(), quietMs);
    return () => clearTimeout(timer);
  }, [key, values, base, unsaved, openedAt]);

  useEffect(() => {
    const now = () => write.current?.();
    window.addEventListener('pagehide', now);
    document.addEventListener('visibilitychange', now);
    return () => {
      window.removeEventListener('pagehide', now);
      document.removeEventListener('visibilitychange', now);
      now();
    };
  }, []);

  /** Deletes the draft after its values were saved or discarded. */
  const forget = useCallback(() => {
    over.current = true;
    if (key) removeDraft(key);
  }, [key]);

  return { kept, forget };
}
