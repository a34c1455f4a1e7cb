import { ShieldCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { SecondFactorSetUp } from '#contract/sign-in/second-factor.ts';
import { client } from '#web/app/client.ts';
import { useServices } from '#web/app/services.ts';
import { Button } from '#web/components/button.tsx';
import { ProofDialog, type ProofWays } from '#web/components/proof/proof-dialog.tsx';
import { useToast } from '#web/components/toast.tsx';
import styles from './second-factor.module.css';
import { SecondFactorSteps } from './second-factor-steps.tsx';
import { AccountSection } from './section.tsx';

type Step = 'rest' | 'proof' | SecondFactorSetUp;

/** Turns the second factor on and off. */
export function SecondFactor({ on, ways }: { on: boolean; ways: ProofWays }) {
  const { session } = useServices();
  const notify = useToast();
  const [step, setStep] = useState<Step>('rest');
  const section = useRef<HTMLElement>(null);
  const shown = useRef(step);

  // The pressed button is gone, so the focus moves to the section. A dialog moves the focus itself.
  useEffect(() => {
    if (shown.current !== step && (typeof step === 'object' || shown.current !== 'proof') && step !== 'proof')
      section.current?.focus();
    shown.current = step;
  }, [step]);

  async function finish(message: string) {
    await session.refresh();
    setStep('rest');
    notify(message);
  }

  const lead = on
    ? 'Depois da senha, pedimos um código do seu aplicativo autenticador.'
    : 'Além da senha, um código do seu celular: quem souber só a senha não entra.';
  return (
    <AccountSection ref={section} title="Verificação em duas etapas" lead={lead}>
      {typeof step === 'string' && (
        <>
          {on && (
            <p className={styles.enabled}>
              <ShieldCheck /> Ligada
            </p>
          )}
          <Button variant="quiet" onClick={() => setStep('proof')}>
            {on ? 'Desligar' : 'Ligar'}
          </Button>
        </>
      )}
      {step === 'proof' && (
        <ProofDialog
          ways={ways}
          title={on ? 'Desligar a verificação em duas etapas?' : 'Ligar a verificação em duas etapas'}
          action={on ? 'Desligar' : 'Continuar'}
          working="Um momento…"
          danger={on}
          onProof={async (proof) => {
            if (!on) return setStep(await client.auth.beginSecondFactor(proof));
            await client.auth.endSecondFactor(proof);
            await finish('Verificação em duas etapas desligada.');
          }}
          onClose={() => setStep('rest')}
        />
      )}
      {typeof step === 'object' && (
        <SecondFactorSteps
          setUp={step}
          onCancel={() => setStep('rest')}
          onDone={() => finish('Verificação em duas etapas ligada.')}
        />
      )}
    </AccountSection>
  );
}
