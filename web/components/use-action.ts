import { useRef, useState } from 'react';
import { messageOf } from '#client/client-error.ts';
import { isCodeMissing, reloadIfReplaced, reloadPage } from '#web/app/reload-after-deploy.ts';

/** The props of a FormMessage. */
type Failure = { message: string; onReload: (() => void) | undefined };

const noFailure: Failure = { message: '', onReload: undefined };

/** Runs the server calls of a button, one at a time. Returns the pending state and the last failure. */
export function useAction() {
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState(noFailure);
  const underWay = useRef(false);

  async function run(action: () => Promise<void>) {
    if (underWay.current) return;
    underWay.current = true;
    setPending(true);
    setFailure(noFailure);
    try {
      await action();
    } catch (error) {
      const codeMissing = isCodeMissing(error);
      if (codeMissing && (await reloadIfReplaced())) return;
      setFailure({ message: messageOf(error), onReload: codeMissing ? reloadPage : undefined });
    } finally {
      underWay.current = false;
      setPending(false);
    }
  }

  return { pending, failure, run: (action: () => Promise<void>) => void run(action) };
}
