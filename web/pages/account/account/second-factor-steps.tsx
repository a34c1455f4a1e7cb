import { Copy, Download, Printer } from 'lucide-react';
import { createPortal } from 'react-dom';
import { authenticatorCode, type SecondFactorSetUp } from '#contract/sign-in/second-factor.ts';
import { client } from '#web/app/client.ts';
import { useContent } from '#web/app/services.ts';
import { Button } from '#web/components/button.tsx';
import { TextField } from '#web/components/form/field.tsx';
import { Form, SubmitButton } from '#web/components/form/form.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { useForm } from '#web/components/form/use-form.ts';
import { blameField } from '#web/components/proof/blame-field.ts';
import { QrCode } from '#web/components/qr-code.tsx';
import { useToast } from '#web/components/toast.tsx';

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

/** Lets users copy, download or print the recovery codes. The printed page has only the codes and a title. */
function RecoveryCodes({ codes }: { codes: string[] }) {
  const identity = useContent('identity');
  const notify = useToast();
  const title = `Códigos de recuperação de ${identity.shortName}. Cada um serve uma vez.`;
  const text = [title, ...codes, ''];

  async function copy() {
    try {
      await navigator.clipboard.writeText(codes.join('\n'));
      notify('Códigos copiados.');
    } catch {
      notify('O navegador não deixou copiar. Baixe ou imprima os códigos.', { plain: true });
    }
  }

  function download() {
    const url = URL.createObjectURL(new Blob([text.join('\r\n')], { type: 'text/plain' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = 'codigos-de-recuperacao.txt';
    link.click();
    URL.revokeObjectURL(url);
  }

  const list = (
    <ul className={styles.codes}>
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ul>
  );
  return (
    <>
      {list}
      {createPortal(
        <div className={styles.printed}>
          <p>{title}</p>
          {list}
        </div>,
        document.body,
      )}
      <div className={styles.actions}>
        <Button variant="quiet" size="small" onClick={() => void copy()}>
          <Copy /> Copiar
        </Button>
        <Button variant="quiet" size="small" onClick={download}>
          <Download /> Baixar
        </Button>
        <Button variant="quiet" size="small" onClick={() => window.print()}>
          <Printer /> Imprimir
        </Button>
      </div>
    </>
  );
}
