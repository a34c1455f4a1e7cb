import { useRevalidator } from 'react-router';
import { passwordChange } from '#contract/account.ts';
import { client } from '#web/app/client.ts';
import { useServices } from '#web/app/services.ts';
import { Button } from '#web/components/button.tsx';
import { OneButtonForm } from '#web/components/form/form.tsx';
import { PasswordField } from '#web/components/form/password-field.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { useForm } from '#web/components/form/use-form.ts';
import { FormMessage } from '#web/components/notice.tsx';
import { blameField } from '#web/components/proof/blame-field.ts';
import { useToast } from '#web/components/toast.tsx';
import { useAction } from '#web/components/use-action.ts';
import { ConfirmationField, NewPasswordField } from '../components/form-parts.tsx';
import { AccountSection } from './section.tsx';

/** Changes the password, or mails a link to set a first one. */
export function Password({ email, hasPassword }: { email: string; hasPassword: boolean }) {
  return hasPassword ? <ChangePassword email={email} /> : <FirstPassword email={email} />;
}

function ChangePassword({ email }: { email: string }) {
  const { session } = useServices();
  const { withSession, signInAgain } = useSignInAgain();
  const revalidator = useRevalidator();
  const notify = useToast();
  const empty = { current: '', next: '', confirmation: '' };
  const form = useForm({
    schema: passwordChange,
    initial: empty,
    submit: async (change) => {
      await blameField('current', () => withSession(() => client.auth.changePassword(change)));
      form.fill(empty);
      notify('Senha trocada. Os outros aparelhos saíram da conta.');
      // The server has started a new session for this browser and has ended the other sessions.
      await session.refresh();
      await revalidator.revalidate();
    },
  });

  return (
    <AccountSection
      title="Senha"
      lead="Ao trocar a senha, os outros aparelhos em que você entrou saem da conta."
    >
      <OneButtonForm form={form} submit="Trocar a senha" working="Trocando…">
        {/* Password managers need to know the account that the password belongs to. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <PasswordField {...form.field('current')} label="Senha atual" autoComplete="current-password" />
        <NewPasswordField {...form.field('next')} label="Senha nova" />
        <ConfirmationField
          {...form.field('confirmation')}
          label="Confirme a senha nova"
          password={form.values.next}
        />
      </OneButtonForm>
      {signInAgain}
    </AccountSection>
  );
}

/** Mails a link to set a first password, for an account that signs in with Google. */
function FirstPassword({ email }: { email: string }) {
  const { pending, failure, run } = useAction();
  const notify = useToast();

  const ask = () =>
    run(async () => {
      await client.auth.requestPasswordReset(email);
      notify(`Enviamos um link para ${email}. Ele vale por 10 minutos.`);
    });

  return (
    <AccountSection title="Senha" lead="Você entra com o Google e ainda não tem uma senha aqui.">
      <p>
        Com uma senha, você também entra sem o Google. Enviamos um link para criá-la; ao usá-lo, você sai de
        todos os aparelhos e entra de novo.
      </p>
      <FormMessage {...failure} />
      <Button variant="quiet" aria-disabled={pending || undefined} onClick={ask}>
        {pending ? 'Enviando…' : 'Receber o link por e-mail'}
      </Button>
    </AccountSection>
  );
}
