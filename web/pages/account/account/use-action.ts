import { useRef, useState } from 'react';
import { ClientError } from '#client/client-error.ts';
import { errorMessages } from '#contract/errors.ts';

/** For a button that calls the server: runs one call at a time and holds its pending state and error. */
export function useAction() {
  const [pending, setPending] = useState(false);
  const [message, setMessage] = useState('');
  const underWay = useRef(false);

  async function run(action: () => Promise<void>) {
    if (underWay.current) return;
    underWay.current = true;
    setPending(true);
    setMessage('');
    try {
      await action();
    } catch (error) {
      if (!(error instanceof ClientError)) console.error(error);
      setMessage(error instanceof ClientError ? error.message : errorMessages.unexpected);
    } finally {
      underWay.current = false;
      setPending(false);
    }
  }

  return { pending, message, run: (action: () => Promise<void>) => void run(action) };
}
