import { useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { authPaths } from '#contract/auth-paths.ts';
import {
  awaitOutcome,
  type GoogleOutcome,
  googleMessageOf,
  googleMessages,
  openGoogleWindow,
} from '#web/app/google-window.ts';
import { useServices } from '#web/app/services.ts';
import type { SettledSession } from '#web/app/session.ts';
import { noteWantedPractice, pathAfterKeeping } from '../favourites/wanted-practice.ts';

/** How often to check whether the user has closed the popup window. A closed window sends no event. */
const closedCheckMs = 300;

export type GoogleOptions = {
  /** True if the user is already signed in, and signs in again only to confirm a request. */
  confirms?: boolean;
  /** Called after the sign-in. Without this function, the page navigates to `pathAfterKeeping`. */
  onSignedIn?: ((settled: SettledSession) => void) | undefined;
  /** True if the page must stay open. If the browser blocks the popup window, only a message appears. */
  stays?: boolean;
};

/**
 * Signs in with Google in a popup window, or on this page if the browser blocks popup windows.
 * Call `start` in the click handler.
 */
export function useGoogleSignIn({ confirms = false, onSignedIn, stays = false }: GoogleOptions = {}) {
  const path = confirms ? authPaths.googleConfirm : authPaths.google;
  const { session } = useServices();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const popup = useRef<Window>(undefined);
  const [step, setStep] = useState<'idle' | 'popup' | 'finishing'>('idle');
  const [message, setMessage] = useState('');
  // Set the message in an effect, because hydration must match the prerendered page, which has no message.
  useEffect(() => setMessage(googleMessageOf(search)), [search]);

  async function finish(outcome: GoogleOutcome) {
    popup.current = undefined;
    if (outcome !== 'signed-in') {
      setMessage(googleMessages[outcome]);
      setStep('idle');
      return;
    }
    setStep('finishing');
    try {
      const settled = await session.refresh();
      if (settled.status !== 'signed-in') throw new Error('After the sign-in, this page has no session.');
      if (!onSignedIn) return await navigate(await pathAfterKeeping(settled, search), { replace: true });
      setStep('idle');
      onSignedIn(settled);
    } catch (error) {
      console.error(error);
      setMessage(googleMessages.falhou);
      setStep('idle');
    }
  }
  const latestFinish = useRef(finish);
  useEffect(() => {
    latestFinish.current = finish;
  });

  // Only the page that opened the popup window waits for the result. Otherwise, another tab with this form
  // would also receive it.
  const stopWaiting = useRef<() => void>(undefined);
  useEffect(() => () => stopWaiting.current?.(), []);

  // After the popup window has visited another site, it can look closed although it is open. So keep the
  // channel open, and let the user press the button again.
  useEffect(() => {
    if (step !== 'popup') return;
    const watch = setInterval(() => {
      if (popup.current?.closed) setStep('idle');
    }, closedCheckMs);
    return () => clearInterval(watch);
  }, [step]);

  function start() {
    if (step === 'finishing') return;
    setMessage('');
    if (step === 'popup' && popup.current && !popup.current.closed) {
      popup.current.focus();
      return;
    }
    if (!onSignedIn) noteWantedPractice(search);
    popup.current = openGoogleWindow(path);
    if (!popup.current && stays) {
      setMessage('O navegador bloqueou a janela do Google. Permita janelas deste site e tente de novo.');
      return;
    }
    if (!popup.current) {
      window.location.assign(path);
      return;
    }
    stopWaiting.current ??= awaitOutcome((outcome) => void latestFinish.current(outcome));
    setStep('popup');
  }

  return { step, message, start };
}
