import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { passwordResetRequest } from '#contract/credentials.ts';
import { carriedEmail } from '#web/parts/carried-email.ts';
import { TextField } from '#web/parts/field.tsx';
import { FootNote } from '#web/parts/foot-note.tsx';
import { Form, SubmitButton } from '#web/parts/form.tsx';
import { Link } from '#web/parts/link.tsx';
import { PageTitle } from '#web/parts/page-title.tsx';
import { useToast } from '#web/parts/toast.tsx';
import { useForm } from '#web/parts/use-form.ts';
import { useServices } from '#web/services-context.ts';

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
