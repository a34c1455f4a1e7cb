import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { passwordResetRequest } from '#contract/credentials.ts';
import { useServices } from '#web/app/services-context.ts';
import { TextField } from '#web/components/form/field.tsx';
import { Form, SubmitButton } from '#web/components/form/form.tsx';
import { useForm } from '#web/components/form/use-form.ts';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { Link } from '#web/components/link.tsx';
import { useToast } from '#web/components/toast.tsx';
import { carriedEmail } from './components/carried-email.ts';
import { FootNote } from './components/foot-note.tsx';

export function Component() {
  const { client } = useServices();
  const navigate = useNavigate();
  const notify = useToast();
  const [email] = useState(carriedEmail.find);
  useEffect(carriedEmail.forget, []);
  const form = useForm({
    schema: passwordResetRequest,
    initial: { email },
    submit: async ({ email }) => {
      await client.auth.requestPasswordReset(email);
      await navigate('/');
      notify('Password reset link sent!');
    },
  });

  return (
    <>
      <PageTitle title="Recuperar a senha" />
      <h1>Recuperar a senha</h1>
      <p>Escreva o email da sua conta. Se ela existir, você recebe um link para criar outra senha.</p>
      <Form
        form={form}
        actions={
          <SubmitButton pending={form.pending} working="Enviando…">
            Enviar o link
          </SubmitButton>
        }
      >
        <TextField
          {...form.field('email')}
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="username"
        />
      </Form>
      <FootNote>
        Lembrou? <Link to="/login">Voltar para entrar</Link>
      </FootNote>
    </>
  );
}
