import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useBlocker } from 'react-router';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

/** The forms of this page with unsaved text or uploads. A new version of the site waits for them. */
const unsavedForms = new Set<object>();
const listeners = new Set<() => void>();
const tell = () => {
  for (const listener of listeners) listener();
};

/** Returns true while a form of this page has unsaved text or an unfinished upload. */
export const useUnsavedForms = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => unsavedForms.size > 0,
  );

/**
 * Asks for confirmation before the user leaves a page with unsaved text or an unfinished upload. Render
 * `leaveGuard` in the page. Call `allowLeaving` before a navigation that follows a save.
 * @param kept whether this device keeps a draft of the text
 */
export function useLeaveGuard(unsaved: boolean, uploading = false, kept = false) {
  const asks = unsaved || uploading;
  const saved = useRef(false);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      asks && !saved.current && currentLocation.pathname !== nextLocation.pathname,
  );

  useEffect(() => {
    if (!asks) return;
    const ask = (event: BeforeUnloadEvent) => {
      if (!saved.current) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    unsavedForms.add(saved);
    tell();
    return () => {
      window.removeEventListener('beforeunload', ask);
      unsavedForms.delete(saved);
      tell();
    };
  }, [asks]);

  const leaveGuard = blocker.state === 'blocked' && (
    <Dialog
      title="Sair sem salvar?"
      size="narrow"
      onClose={() => blocker.reset()}
      footer={
        <>
          <Button variant="danger" onClick={() => blocker.proceed()}>
            Sair sem salvar
          </Button>
          <Button onClick={() => blocker.reset()}>Continuar editando</Button>
        </>
      }
    >
      {unsaved && (
        <p>
          O que você digitou nesta página ainda não foi salvo.
          {kept && <span> Um rascunho fica neste aparelho por uma semana, ou até você sair da conta.</span>}
        </p>
      )}
      {uploading && (
        <p>
          O envio do arquivo ainda não terminou. Se você sair, escolha o mesmo arquivo depois: ele continua de
          onde parou.
        </p>
      )}
    </Dialog>
  );
  return {
    leaveGuard,
    allowLeaving() {
      saved.current = true;
    },
  };
}
