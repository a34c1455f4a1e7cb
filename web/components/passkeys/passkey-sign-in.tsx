import { KeyRound } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { PasskeyAssertion } from '#contract/sign-in/passkeys.ts';
import { client } from '#web/app/client.ts';
import { useServices } from '#web/app/services.ts';
import type { SettledSession } from '#web/app/session.ts';
import { Button } from '../button.tsx';
import { FormMessage } from '../notice.tsx';
import { useAction } from '../use-action.ts';
import { useHydrated } from '../use-hydrated.ts';
import { askForPasskey, offersPasskeysInFields, PasskeyCancelled, passkeysSupported } from './passkeys.ts';

/** Shorter than a challenge of the server is valid (5 minutes). */
const renewMs = 4 * 60_000;

/**
 * The button that signs in with a passkey. Where the browser can, it also offers the passkeys in the field
 * with `autocomplete="username webauthn"`.
 */
export function PasskeySignIn({ onDone }: { onDone: (settled: SettledSession) => void | Promise<void> }) {
  const { session } = useServices();
  const { pending, failure, run } = useAction();
  const scripted = useHydrated();
  const offer = useRef<AbortController>(undefined);

  const finish = async (assertion: PasskeyAssertion) => onDone(await session.signInWithPasskey(assertion));
  const latest = useRef(finish);
  useEffect(() => {
    latest.current = finish;
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: `run` only sets state.
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let left = false;
    async function offerInField() {
      offer.current?.abort();
      if (left || !(await offersPasskeysInFields())) return;
      const controller = new AbortController();
      offer.current = controller;
      timer = setTimeout(() => void offerInField().catch(() => {}), renewMs);
      const challenge = await client.auth.getPasskeyChallenge();
      if (left || controller.signal.aborted) return;
      const assertion = await askForPasskey(challenge, { signal: controller.signal });
      run(() => latest.current(assertion));
    }
    // Without the offer, the button still works, and shows what fails.
    offerInField().catch(() => {});
    return () => {
      left = true;
      clearTimeout(timer);
      offer.current?.abort();
    };
  }, []);

  const press = () =>
    run(async () => {
      // A browser asks for one passkey at a time.
      offer.current?.abort();
      try {
        await finish(await askForPasskey(await client.auth.getPasskeyChallenge()));
      } catch (error) {
        if (!(error instanceof PasskeyCancelled)) throw error;
      }
    });

  if (scripted && !passkeysSupported()) return null;
  return (
    <>
      <FormMessage {...failure} />
      <Button variant="quiet" disabled={!scripted} aria-disabled={pending || undefined} onClick={press}>
        <KeyRound /> Entrar com chave de acesso
      </Button>
    </>
  );
}
