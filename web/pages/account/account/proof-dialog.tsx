import { type ReactNode, useState } from 'react';
import * as z from 'zod/mini';
import { hasCode } from '#client/client-error.ts';
import type { AccountExport } from '#contract/account.ts';
import { limits } from '#contract/limits.ts';
import { currentPassword, type Proof } from '#contract/proof.ts';
import { Button } from '#web/components/button.tsx';
import { Dialog } from '#web/components/dialog.tsx';
import { TextField } from '#web/components/form/field.tsx';
import { Form } from '#web/components/form/form.tsx';
import { PasswordField } from '#web/components/form/password-field.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { useForm } from '#web/components/form/use-form.ts';
import { GoogleButton } from '#web/components/google/google-button.tsx';
import { blameField } from './blame-field.ts';
import styles from './section.module.css';

/** How the user can give the proof (contract/proof.ts). */
export type ProofWays = { hasPassword: boolean; startedAt: number };

export const waysOf = ({ signInMethods }: AccountExport, startedAt: number): ProofWays => ({
  hasPassword: signInMethods.some(({ provider }) => provider === 'credential'),
  startedAt,
});

/** The names of the fields that a change may need beside the proof. */
type FieldName = 'word' | 'email';

/** A sign-in is recent up to this age: half of what the server allows, so that users have time to type. */
const freshMs = limits.freshSignInMs / 2;

/**
 * A dialog that asks for the proof before a change of how the account is entered: the password or, without
 * one, a new sign-in with Google.
 * @param field a field of the change itself, shown above the password
 * @param onProof makes the change; the dialog shows its errors
 */
export function ProofDialog({
  ways: { hasPassword, startedAt },
  title,
  action,
  working,
  danger = false,
  field,
  children,
  onProof,
  onClose,
}: {
  ways: ProofWays;
  title: string;
  action: string;
  working: string;
  danger?: boolean;
  field?: { name: FieldName; schema: z.ZodMiniType<string, string>; label: string; autoComplete: string };
  children?: ReactNode;
  onProof: (proof: Proof, value: string) => Promise<void>;
  onClose: () => void;
}) {
  const { withSession, signInAgain } = useSignInAgain();
  const [confirmed, setConfirmed] = useState(() => hasPassword || Date.now() - startedAt < freshMs);
  const form = useForm<FieldName | 'password', z.ZodMiniObject>({
    schema: z.object({
      ...(field && { [field.name]: field.schema }),
      ...(hasPassword && { password: currentPassword }),
    }),
    initial: { word: '', email: '', password: '' },
    submit: async (input) => {
      const { password, ...values } = input as { password?: string; word?: string; email?: string };
      const value = (field && values[field.name]) ?? '';
      try {
        await blameField('password', () => withSession(() => onProof({ password }, value)));
      } catch (error) {
        if (hasCode(error, 'auth/sign-in-again')) setConfirmed(false);
        throw error;
      }
    },
  });
  const cancel = (
    <Button variant="quiet" onClick={onClose}>
      Cancelar
    </Button>
  );

  if (!confirmed) {
    return (
      <Dialog title={title} size="narrow" onClose={onClose}>
        <div className={styles.text}>
          <p>Antes, confirme com o Google que é você. Nada muda neste passo.</p>
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
    <Dialog title={title} size="narrow" onClose={onClose}>
      <Form
        form={form}
        actions={
          <div className={styles.actions}>
            <Button
              type="submit"
              variant={danger ? 'danger' : 'primary'}
              aria-disabled={form.pending || undefined}
            >
              {form.pending ? working : action}
            </Button>
            {cancel}
          </div>
        }
      >
        {children && <div className={styles.text}>{children}</div>}
        {field && (
          <TextField
            {...form.field(field.name)}
            label={field.label}
            type={field.name === 'email' ? 'email' : 'text'}
            autoComplete={field.autoComplete}
          />
        )}
        {hasPassword && (
          <PasswordField
            {...form.field('password')}
            label="Sua senha"
            hint="Só para ter certeza de que é você."
            autoComplete="current-password"
          />
        )}
      </Form>
      {signInAgain}
    </Dialog>
  );
}
