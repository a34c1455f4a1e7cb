import { authenticatorCode, type SecondFactorSetUp } from '#contract/second-factor.ts';
import { useServices } from '#web/app/services-context.ts';
import { Button } from '#web/components/button.tsx';
import { TextField } from '#web/components/form/field.tsx';
import { Form, SubmitButton } from '#web/components/form/form.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { useForm } from '#web/components/form/use-form.ts';
import { blameField } from './blame-field.ts';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import styles from './second-factor.module.css';

/** The set-up of a second factor: the key, the recovery codes, and a first code to confirm. */
export function SecondFactorSteps({
  setUp: { uri, recoveryCodes },
  onDone,
  onCancel,
}: {
  setUp: SecondFactorSetUp;
  onDone: () => Promise<void>;
  onCancel: () => void;
}) {
  const { client } = useServices();
  const { withSession, signInAgain } = useSignInAgain();
  const form = useForm({
    schema: authenticatorCode,
    initial: { code: '' },
    submit: async ({ code }) => {
      await blameField('code', () => withSession(() => client.auth.confirmSecondFactor(code)));
      await onDone();
    },
  });
  const secret = new URL(uri).searchParams.get('secret') ?? '';

  return (
    <ol className={styles.steps}>
      <li>
        <h3>Leia este código com o seu aplicativo autenticador</h3>
        <p>
          Serve qualquer um, como Google Authenticator, Microsoft Authenticator ou o gerenciador de senhas do
          celular.
        </p>
        <QrCode text={uri} label="Código QR para o aplicativo autenticador" />
        <p>
          Não dá para ler? Digite esta chave no aplicativo, ou{' '}
          <a href={uri}>abra-o aqui mesmo, se ele estiver neste aparelho</a>.
        </p>
        <p className={styles.secret}>{secret.match(/.{1,4}/g)?.join(' ')}</p>
      </li>
      <li>
        <h3>Guarde os códigos de recuperação</h3>
        <p>
          Se você perder o celular, cada um deles serve para entrar uma vez. Guarde-os longe do celular: não
          serão mostrados de novo.
        </p>
        <RecoveryCodes codes={recoveryCodes} />
      </li>
      <li>
        <h3>Escreva o código que o aplicativo mostra agora</h3>
        <Form
          form={form}
          actions={
            <div className={styles.actions}>
              <SubmitButton pending={form.pending} working="Conferindo…">
                Ligar a verificação
              </SubmitButton>
              <Button variant="quiet" onClick={onCancel}>
                Cancelar
              </Button>
            </div>
          }
        >
          <TextField
            {...form.field('code')}
            label="Código de seis números"
            inputMode="numeric"
            autoComplete="one-time-code"
          />
        </Form>
        {signInAgain}
      </li>
    </ol>
  );
}
