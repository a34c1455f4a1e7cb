import { useRevalidator } from 'react-router';
import { passwordChange } from '#contract/account.ts';
import { useServices } from '#web/app/services-context.ts';
import type { SignedIn } from '#web/app/session.ts';
import { Button } from '#web/components/button.tsx';
import { Form, SubmitButton } from '#web/components/form/form.tsx';
import { FormMessage } from '#web/components/form/form-message.tsx';
import { PasswordField } from '#web/components/form/password-field.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { useForm } from '#web/components/form/use-form.ts';
import { useToast } from '#web/components/toast.tsx';
import { ConfirmationField } from '../components/confirmation-field.tsx';
import { blameField } from './blame-field.ts';
import { Section } from './section.tsx';
import { useAction } from './use-action.ts';

export function Password({ person, hasPassword }: { person: SignedIn; hasPassword: boolean }) {
  const { email } = person.session.user;
  return hasPassword ? <ChangePassword email={email} /> : <FirstPassword email={email} />;
}

function ChangePassword({ email }: { email: string }) {
  const { client, session } = useServices();
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
      // The server has given this browser a new session and has changed the list of the others.
      await session.refresh();
      await revalidator.revalidate();
    },
  });

  return (
    <Section title="Senha" lead="Ao trocar a senha, os outros aparelhos em que você entrou saem da conta.">
      <Form
        form={form}
        actions={
          <SubmitButton pending={form.pending} working="Trocando…">
            Trocar a senha
          </SubmitButton>
        }
      >
        {/* Password managers need the account of the password. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <PasswordField {...form.field('current')} label="Senha atual" autoComplete="current-password" />
        <PasswordField
          {...form.field('next')}
          label="Senha nova"
          hint="Pelo menos 8 caracteres, apenas letras e números."
          autoComplete="new-password"
        />
        <ConfirmationField
          {...form.field('confirmation')}
          label="Confirme a senha nova"
          password={form.values.next}
        />
      </Form>
      {signInAgain}
    </Section>
  );
}

/** For an account that has only signed in with Google. */
function FirstPassword({ email }: { email: string }) {
  const { client } = useServices();
  const { pending, message, run } = useAction();
  const notify = useToast();

  const ask = () =>
    run(async () => {
      await client.auth.requestPasswordReset(email);
      notify(`Enviamos um link para ${email}. Ele vale por 10 minutos.`);
    });

  return (
    <Section title="Senha" lead="Você entra com o Google e ainda não tem uma senha aqui.">
      <p>
        Com uma senha, você também entra sem o Google. Enviamos um link para criá-la; ao usá-lo, você sai de
        todos os aparelhos e entra de novo.
      </p>
      <FormMessage message={message} />
      <Button variant="quiet" aria-disabled={pending || undefined} onClick={ask}>
        {pending ? 'Enviando…' : 'Receber o link por email'}
      </Button>
    </Section>
  );
}
