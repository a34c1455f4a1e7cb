import { useCallback, useEffect, useRef, useState } from 'react';
import type { Activity } from '#contract/activity.ts';
import { keepDraft, removeDraft } from '#web/app/drafts.ts';
import type { ActivityValues } from './activity-form.tsx';

/** So long after the last key a draft is kept. */
const quietMs = 400;

/**
 * Keeps what a form holds on this device, while it differs from what was opened.
 * @param key where; `undefined` keeps nothing
 */
export function useDraft(
  key: string | undefined,
  { values, base, unsaved }: { values: ActivityValues; base?: Activity; unsaved: boolean },
) {
  const [openedAt] = useState(Date.now);
  const [kept, setKept] = useState(false);
  const over = useRef(false);
  /** Writes what has not been written yet. */
  const write = useRef<() => void>(undefined);

  useEffect(() => {
    if (!key || over.current) return;
    if (!unsaved) {
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

  /** The draft is saved, or not wanted any more: nothing of it stays. */
  const forget = useCallback(() => {
    over.current = true;
    if (key) removeDraft(key);
  }, [key]);

  return { kept, forget };
}
