import { KeyRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import * as z from 'zod/mini';
import { hasCode } from '#client/client-error.ts';
import type { AccountExport } from '#contract/account.ts';
import { limits } from '#contract/limits.ts';
import { currentPassword, type Proof } from '#contract/sign-in/proof.ts';
import { client } from '#web/app/client.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { TextField } from '../form/field.tsx';
import { Form } from '../form/form.tsx';
import { PasswordField } from '../form/password-field.tsx';
import { useSignInAgain } from '../form/sign-in-again.tsx';
import { useForm } from '../form/use-form.ts';
import { GoogleButton } from '../google/google-button.tsx';
import { askForPasskey, PasskeyCancelled, passkeysSupported } from '../passkeys/passkeys.ts';
import { blameField } from './blame-field.ts';
import styles from './proof-dialog.module.css';

/** How the user can give the proof (contract/sign-in/proof.ts). */
export type ProofWays = { hasPassword: boolean; hasPasskey: boolean; startedAt: number };

export const waysOf = ({ signInMethods, passkeys }: AccountExport, startedAt: number): ProofWays => ({
  hasPassword: signInMethods.some(({ provider }) => provider === 'credential'),
  hasPasskey: passkeys.length > 0,
  startedAt,
});

/** The names of the fields that a change may need beside the proof. */
type FieldName = 'word' | 'email' | 'name' | 'crm';
type Field = {
  name: FieldName;
  schema: z.ZodMiniType<string, string>;
  label: string;
  hint?: string;
  initial?: string;
  autoComplete: string;
};
type Values = Record<FieldName, string>;

const noValues: Values = { word: '', email: '', name: '', crm: '' };

/** A sign-in is recent up to this age: half of what the server allows, so that users have time to type. */
const freshMs = limits.freshSignInMs / 2;

/**
 * A dialog that asks for the proof before a change of how the account is entered: the password, a passkey or,
 * without a password, a new sign-in with Google.
 * @param fields the fields of the change itself, shown above the password
 * @param recentSignInIsEnough false if a user without a password must use a passkey
 * @param onProof makes the change; the dialog shows its errors
 */
export function ProofDialog({
  ways: { hasPassword, hasPasskey, startedAt },
  title,
  action,
  working,
  danger = false,
  fields = [],
  recentSignInIsEnough = true,
  children,
  onProof,
  onClose,
}: {
  ways: ProofWays;
  title: string;
  action: string;
  working: string;
  danger?: boolean;
  fields?: Field[];
  recentSignInIsEnough?: boolean;
  children?: ReactNode;
  onProof: (proof: Proof, values: Values) => Promise<void>;
  onClose: () => void;
}) {
  const { withSession, signInAgain } = useSignInAgain();
  const [fresh, setFresh] = useState(() => recentSignInIsEnough && Date.now() - startedAt < freshMs);
  const hasPasskeyHere = hasPasskey && passkeysSupported();
  const [askGoogle, setAskGoogle] = useState(
    recentSignInIsEnough && !hasPassword && !fresh && !hasPasskeyHere,
  );
  const form = useForm<FieldName | 'password', z.ZodMiniObject>({
    schema: z.object({
      ...Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
      ...(hasPassword && { password: currentPassword }),
    }),
    initial: {
      ...noValues,
      ...Object.fromEntries(fields.map(({ name, initial = '' }) => [name, initial])),
      password: '',
    },
    submit: (input) => send(input, !hasPassword && !fresh),
  });

  async function send(input: object, withPasskey: boolean) {
    const { password, ...values } = input as Partial<Values> & { password?: string };
    const change = async () => {
      const passkey = withPasskey ? await askForPasskey(await client.auth.getPasskeyChallenge()) : undefined;
      await onProof(passkey ? { passkey } : { password }, { ...noValues, ...values });
    };
    try {
      await blameField('password', () => withSession(change));
    } catch (error) {
      if (error instanceof PasskeyCancelled) return setAskGoogle(recentSignInIsEnough && !hasPassword);
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
        {fields.map(({ name, label, hint, autoComplete }) => (
          <TextField
            {...form.field(name)}
            key={name}
            label={label}
            hint={hint}
            type={name === 'email' ? 'email' : 'text'}
            autoComplete={autoComplete}
          />
        ))}
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
