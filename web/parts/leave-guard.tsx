import { useEffect, useRef } from 'react';
import { useBlocker } from 'react-router';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

/**
 * Asks before a page with unsaved words is left. `leaveGuard` belongs in the page;
 * `letGo` is called before a navigation that follows a save.
 */
export function useLeaveGuard(unsaved: boolean) {
  const saved = useRef(false);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      unsaved && !saved.current && currentLocation.pathname !== nextLocation.pathname,
  );

  useEffect(() => {
    if (!unsaved) return;
    const ask = (event: BeforeUnloadEvent) => {
      if (!saved.current) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [unsaved]);

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
      <p>O que você digitou nesta página ainda não foi salvo.</p>
    </Dialog>
  );
  return {
    leaveGuard,
    letGo() {
      saved.current = true;
    },
  };
}
