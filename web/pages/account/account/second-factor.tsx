import { ShieldCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { type SecondFactorSetUp, secondFactorPassword } from '#contract/second-factor.ts';
import { client } from '#web/app/client.ts';
import { useServices } from '#web/app/services.ts';
import { Button } from '#web/components/button.tsx';
import { Form, SubmitButton } from '#web/components/form/form.tsx';
import { PasswordField } from '#web/components/form/password-field.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { useForm } from '#web/components/form/use-form.ts';
import { useToast } from '#web/components/toast.tsx';
import { blameField } from './blame-field.ts';
import styles from './second-factor.module.css';
import { SecondFactorSteps } from './second-factor-steps.tsx';
import { AccountSection } from './section.tsx';

type Step = 'rest' | 'password' | SecondFactorSetUp;

/** Turns the second factor on and off. */
export function SecondFactor({ on }: { on: boolean }) {
  const { session } = useServices();
  const notify = useToast();
  const [step, setStep] = useState<Step>('rest');
  const section = useRef<HTMLElement>(null);
  const shown = useRef(step);

  // The pressed button is gone, so the focus moves to the section.
  useEffect(() => {
    if (shown.current !== step) section.current?.focus();
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
      {step === 'rest' && (
        <>
          {on && (
            <p className={styles.enabled}>
              <ShieldCheck /> Ligada
            </p>
          )}
          <Button variant="quiet" onClick={() => setStep('password')}>
            {on ? 'Desligar' : 'Ligar'}
          </Button>
        </>
      )}
      {step === 'password' && (
        <AskPassword
          action={on ? 'Desligar' : 'Continuar'}
          onCancel={() => setStep('rest')}
          onPassword={async (password) => {
            if (!on) return setStep(await client.auth.beginSecondFactor(password));
            await client.auth.endSecondFactor(password);
            await finish('Verificação em duas etapas desligada.');
          }}
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

function AskPassword({
  action,
  onPassword,
  onCancel,
}: {
  action: string;
  onPassword: (password: string) => Promise<void>;
  onCancel: () => void;
}) {
  const { withSession, signInAgain } = useSignInAgain();
  const form = useForm({
    schema: secondFactorPassword,
    initial: { password: '' },
    submit: ({ password }) => blameField('password', () => withSession(() => onPassword(password))),
  });
  return (
    <>
      <Form
        form={form}
        actions={
          <div className={styles.actions}>
            <SubmitButton pending={form.pending} working="Um momento…">
              {action}
            </SubmitButton>
            <Button variant="quiet" onClick={onCancel}>
              Cancelar
            </Button>
          </div>
        }
      >
        <PasswordField
          {...form.field('password')}
          label="Sua senha"
          hint="Só para ter certeza de que é você."
          autoComplete="current-password"
        />
      </Form>
      {signInAgain}
    </>
  );
}
