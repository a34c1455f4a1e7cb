import { Button } from '../button.tsx';
import { FormMessage } from '../form/form-message.tsx';
import { useHydrated } from '../use-hydrated.ts';
import styles from './google-button.module.css';
import { GoogleMark } from './google-mark.tsx';
import { type GoogleOptions, useGoogleSignIn } from './use-google-sign-in.ts';

/** The button that signs in with Google. */
export function GoogleButton({
  label,
  working,
  ...options
}: GoogleOptions & {
  label: string;
  working: string;
}) {
  const { step, message, start } = useGoogleSignIn(options);
  const scripted = useHydrated();
  return (
    <>
      <FormMessage message={message} />
      <Button
        className={styles.button}
        variant="quiet"
        disabled={!scripted}
        aria-disabled={step === 'finishing' || undefined}
        onClick={start}
      >
        <GoogleMark />
        <span>{step === 'finishing' ? working : label}</span>
      </Button>
      <p className={styles.status} role="status">
        {step === 'popup' && 'Continue na janela do Google.'}
      </p>
    </>
  );
}
