import { KeyRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import * as z from 'zod/mini';
import { hasCode } from '#client/client-error.ts';
import type { AccountExport } from '#contract/account.ts';
import { limits } from '#contract/limits.ts';
import { currentPassword, type Proof } from '#contract/sign-in/proof.ts';
import { client } from '#web/app/client.ts';
import { Button } from '#web/components/button.tsx';
import { Dialog } from '#web/components/dialog.tsx';
import { TextField } from '#web/components/form/field.tsx';
import { Form } from '#web/components/form/form.tsx';
import { PasswordField } from '#web/components/form/password-field.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { useForm } from '#web/components/form/use-form.ts';
import { GoogleButton } from '#web/components/google/google-button.tsx';
import { askForPasskey, PasskeyCancelled, passkeysSupported } from '#web/components/passkeys/passkeys.ts';
import { blameField } from './blame-field.ts';
import styles from './section.module.css';

/** How the user can give the proof (contract/sign-in/proof.ts). */
export type ProofWays = { hasPassword: boolean; hasPasskey: boolean; startedAt: number };

export const waysOf = ({ signInMethods, passkeys }: AccountExport, startedAt: number): ProofWays => ({
  hasPassword: signInMethods.some(({ provider }) => provider === 'credential'),
  hasPasskey: passkeys.length > 0,
  startedAt,
});

/** The names of the fields that a change may need beside the proof. */
type FieldName = 'word' | 'email';

/** A sign-in is recent up to this age: half of what the server allows, so that users have time to type. */
const freshMs = limits.freshSignInMs / 2;

/**
 * A dialog that asks for the proof before a change of how the account is entered: the password, a passkey or,
 * without a password, a new sign-in with Google.
 * @param field a field of the change itself, shown above the password
 * @param onProof makes the change; the dialog shows its errors
 */
export function ProofDialog({
  ways: { hasPassword, hasPasskey, startedAt },
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
  const [fresh, setFresh] = useState(() => Date.now() - startedAt < freshMs);
  const hasPasskeyHere = hasPasskey && passkeysSupported();
  const [askGoogle, setAskGoogle] = useState(!hasPassword && !fresh && !hasPasskeyHere);
  const form = useForm<FieldName | 'password', z.ZodMiniObject>({
    schema: z.object({
      ...(field && { [field.name]: field.schema }),
      ...(hasPassword && { password: currentPassword }),
    }),
    initial: { word: '', email: '', password: '' },
    submit: (input) => send(input, !hasPassword && !fresh),
  });

  async function send(input: object, withPasskey: boolean) {
    const { password, ...values } = input as { password?: string; word?: string; email?: string };
    const value = (field && values[field.name]) ?? '';
    const change = async () => {
      const passkey = withPasskey ? await askForPasskey(await client.auth.getPasskeyChallenge()) : undefined;
      await onProof(passkey ? { passkey } : { password }, value);
    };
    try {
      await blameField('password', () => withSession(change));
    } catch (error) {
      if (error instanceof PasskeyCancelled) return setAskGoogle(!hasPassword);
      if (hasCode(error, 'auth/sign-in-again')) setAskGoogle(true);
      throw error;
    }
  }

  /** The form requires a password, which a passkey replaces. */
  const sendWithPasskey = () =>
    void form.send((input) => send(input, true), { ...form.values, password: 'passkey' });
  const cancel = (
    <Button variant="quiet" onClick={onClose}>
      Cancelar
    </Button>
  );

  if (askGoogle) {
    return (
      <Dialog title={title} size="narrow" onClose={onClose}>
        <div className={styles.text}>
          <p>Antes, confirme com o Google que é você. Nada muda neste passo.</p>
        </div>
        <GoogleButton
          label="Confirmar com o Google"
          working="Um momento…"
          confirms
          onSignedIn={() => {
            setFresh(true);
            setAskGoogle(false);
          }}
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
            {hasPassword && hasPasskeyHere && (
              <Button variant="quiet" aria-disabled={form.pending || undefined} onClick={sendWithPasskey}>
                <KeyRound /> Usar chave de acesso
              </Button>
            )}
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
