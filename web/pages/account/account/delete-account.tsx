import { useState } from 'react';
import { useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { accountDeletion } from '#contract/account.ts';
import { useServices } from '#web/app/services-context.ts';
import { Button } from '#web/components/button.tsx';
import { Dialog } from '#web/components/dialog.tsx';
import { TextField } from '#web/components/form/field.tsx';
import { Form } from '#web/components/form/form.tsx';
import { PasswordField } from '#web/components/form/password-field.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { useForm } from '#web/components/form/use-form.ts';
import { useToast } from '#web/components/toast.tsx';
import { blameField } from './blame-field.ts';
import styles from './delete-account.module.css';
import { Section } from './section.tsx';

/** Deletes the account, after a dialog that asks for the password. A user without one must set it first. */
export function DeleteAccount({ hasPassword }: { hasPassword: boolean }) {
  const [asking, setAsking] = useState(false);
  return (
    <Section title="Apagar a conta" lead="Na hora, e sem volta.">
      {hasPassword ? (
        <Button variant="danger" onClick={() => setAsking(true)}>
          Apagar minha conta
        </Button>
      ) : (
        <p>Para apagar a conta, pedimos a senha. Crie uma antes, logo acima, em "Senha".</p>
      )}
      {asking && <DeleteDialog onClose={() => setAsking(false)} />}
    </Section>
  );
}

const word = 'apagar';
const wordMessage = `Digite a palavra “${word}”.`;
const question = z.object({
  password: accountDeletion.shape.password,
  word: z.string(wordMessage).check(z.regex(new RegExp(`^\\s*${word}\\s*$`, 'i'), wordMessage)),
});

function DeleteDialog({ onClose }: { onClose: () => void }) {
  const { client, session } = useServices();
  const { withSession, signInAgain } = useSignInAgain();
  const navigate = useNavigate();
  const notify = useToast();
  const form = useForm({
    schema: question,
    initial: { password: '', word: '' },
    submit: async ({ password }) => {
      await blameField('password', () => withSession(() => client.auth.deleteAccount(password)));
      await navigate('/');
      // The session ended with the account. This call removes the user data here and signs out other tabs.
      await session.signOut();
      notify('Sua conta foi apagada.');
    },
  });

  return (
    <Dialog title="Apagar a sua conta?" size="narrow" onClose={onClose}>
      <Form
        form={form}
        actions={
          <div className={styles.actions}>
            <Button type="submit" variant="danger" aria-disabled={form.pending || undefined}>
              {form.pending ? 'Apagando…' : 'Apagar para sempre'}
            </Button>
            <Button variant="quiet" onClick={onClose}>
              Cancelar
            </Button>
          </div>
        }
      >
        <div className={styles.text}>
          <p>Vão embora, sem volta:</p>
          <ul>
            <li>seu nome, seu e-mail, sua foto e seu acesso;</li>
            <li>seu registro de palavras e humor;</li>
            <li>as entradas em todos os aparelhos;</li>
            <li>a assinatura da carta neste e-mail.</li>
          </ul>
          <p>O prontuário das consultas não fica neste site e não muda.</p>
        </div>
        <PasswordField {...form.field('password')} label="Sua senha" autoComplete="current-password" />
        <TextField {...form.field('word')} label={`Para confirmar, digite “${word}”`} autoComplete="off" />
      </Form>
      {signInAgain}
    </Dialog>
  );
}
