import { useState } from 'react';
import { useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { hasCode } from '#client/client-error.ts';
import { deletionPassword } from '#contract/account.ts';
import { limits } from '#contract/limits.ts';
import { client } from '#web/app/client.ts';
import { useServices } from '#web/app/services.ts';
import { Button } from '#web/components/button.tsx';
import { Dialog } from '#web/components/dialog.tsx';
import { TextField } from '#web/components/form/field.tsx';
import { Form } from '#web/components/form/form.tsx';
import { PasswordField } from '#web/components/form/password-field.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { useForm } from '#web/components/form/use-form.ts';
import { GoogleButton } from '#web/components/google/google-button.tsx';
import { useToast } from '#web/components/toast.tsx';
import { blameField } from './blame-field.ts';
import styles from './section.module.css';
import { AccountSection } from './section.tsx';

/**
 * Deletes the account, after a dialog that asks for the password. A user without a password confirms with
 * Google instead, unless the sign-in is recent.
 */
export function DeleteAccount({ hasPassword, startedAt }: { hasPassword: boolean; startedAt: number }) {
  const [asking, setAsking] = useState(false);
  return (
    <AccountSection title="Deletar a conta" lead="Na hora, e sem volta.">
      <Button variant="danger" onClick={() => setAsking(true)}>
        Deletar minha conta
      </Button>
      {asking && (
        <DeleteDialog hasPassword={hasPassword} startedAt={startedAt} onClose={() => setAsking(false)} />
      )}
    </AccountSection>
  );
}

/** A sign-in is recent up to this age: half of what the server allows, so that users have time to type. */
const freshMs = limits.freshSignInMs / 2;

const word = 'deletar';
const wordMessage = `Digite a palavra “${word}”.`;
const wordOnly = z.object({
  word: z.string(wordMessage).check(z.regex(new RegExp(`^\\s*${word}\\s*$`, 'i'), wordMessage)),
});
const wordAndPassword = z.extend(wordOnly, { password: deletionPassword });

function DeleteDialog({
  hasPassword,
  startedAt,
  onClose,
}: {
  hasPassword: boolean;
  startedAt: number;
  onClose: () => void;
}) {
  const { session } = useServices();
  const { withSession, signInAgain } = useSignInAgain();
  const navigate = useNavigate();
  const notify = useToast();
  const [confirmed, setConfirmed] = useState(() => hasPassword || Date.now() - startedAt < freshMs);
  const form = useForm({
    schema: hasPassword ? wordAndPassword : wordOnly,
    initial: { password: '', word: '' },
    submit: async (input: { word: string; password?: string }) => {
      try {
        await blameField('password', () => withSession(() => client.auth.deleteAccount(input.password)));
      } catch (error) {
        if (hasCode(error, 'auth/sign-in-again')) setConfirmed(false);
        throw error;
      }
      await navigate('/');
      // The session ended with the account. Remove the user data from this device and sign out other tabs.
      await session.signOut();
      notify('Sua conta foi deletada.');
    },
  });
  const cancel = (
    <Button variant="quiet" onClick={onClose}>
      Cancelar
    </Button>
  );

  if (!confirmed) {
    return (
      <Dialog title="Deletar a sua conta?" size="narrow" onClose={onClose}>
        <div className={styles.text}>
          <p>Antes, confirme com o Google que é você. Nada é deletado neste passo.</p>
        </div>
        <GoogleButton
          label="Confirmar com o Google"
          working="Um momento…"
          confirms
          onSignedIn={() => setConfirmed(true)}
        />
        {cancel}
      </Dialog>
    );
  }

  return (
    <Dialog title="Deletar a sua conta?" size="narrow" onClose={onClose}>
      <Form
        form={form}
        actions={
          <div className={styles.actions}>
            <Button type="submit" variant="danger" aria-disabled={form.pending || undefined}>
              {form.pending ? 'Deletando…' : 'Deletar para sempre'}
            </Button>
            {cancel}
          </div>
        }
      >
        <div className={styles.text}>
          <p>Vão embora, sem volta:</p>
          <ul>
            <li>seu nome, seu e-mail, sua foto e seu acesso;</li>
            <li>seu registro de palavras e humor;</li>
            <li>as práticas que você guardou;</li>
            <li>as entradas em todos os aparelhos;</li>
            <li>a assinatura da carta neste e-mail.</li>
          </ul>
          <p>O prontuário das consultas não fica neste site e não muda.</p>
        </div>
        {hasPassword && (
          <PasswordField {...form.field('password')} label="Sua senha" autoComplete="current-password" />
        )}
        <TextField {...form.field('word')} label={`Para confirmar, digite “${word}”`} autoComplete="off" />
      </Form>
      {signInAgain}
    </Dialog>
  );
}
