import { useEffect, useRef, useState } from 'react';
import { Button } from '#web/components/button.tsx';
import { useUnsavedForms } from '#web/components/leave-guard.tsx';
import type { WorkerRequest } from './kept.ts';
import styles from './update-notice.module.css';

/**
 * Asks whether the page may change to a new version of the site, once no form has unsaved text. Without an
 * answer, the new version starts when all pages of the site are closed.
 */
export function UpdateNotice() {
  const { update, isNew } = useNewVersion();
  const unsaved = useUnsavedForms();
  return (
    <div className={styles.place} role="status">
      {isNew && !unsaved && (
        <div className={styles.notice}>
          <p>Há uma versão nova do site.</p>
          <Button size="small" onClick={update}>
            Atualizar
          </Button>
        </div>
      )}
    </div>
  );
}

/** Finds out whether a new worker waits, or another tab has let it start. */
function useNewVersion() {
  const [isNew, setIsNew] = useState(false);
  const waiting = useRef<ServiceWorker>(undefined);
  const asked = useRef(false);
  useEffect(() => {
    const workers = navigator.serviceWorker;
    // Before the first worker, its start is no new version.
    if (!workers?.controller) return;
    let registration: ServiceWorkerRegistration | undefined;
    const look = () => {
      waiting.current = registration?.waiting ?? undefined;
      if (waiting.current) setIsNew(true);
      registration?.installing?.addEventListener('statechange', look);
    };
    const replaced = () => {
      if (asked.current) window.location.reload();
      else setIsNew(true);
    };
    void workers.getRegistration().then((found) => {
      registration = found;
      registration?.addEventListener('updatefound', look);
      look();
    });
    workers.addEventListener('controllerchange', replaced);
    return () => {
      registration?.removeEventListener('updatefound', look);
      workers.removeEventListener('controllerchange', replaced);
    };
  }, []);

  function update() {
    asked.current = true;
    if (waiting.current?.state === 'installed')
      waiting.current.postMessage({ type: 'take-over' } satisfies WorkerRequest);
    else window.location.reload();
  }
  return { isNew, update };
}
