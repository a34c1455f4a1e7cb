import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import type { AccountExport } from '#contract/account.ts';
import { type PasskeySetUp, passkeyRename } from '#contract/sign-in/passkeys.ts';
import { client } from '#web/app/client.ts';
import { Button } from '#web/components/button.tsx';
import { Dialog } from '#web/components/dialog.tsx';
import { TextField } from '#web/components/form/field.tsx';
import { Form, SubmitButton } from '#web/components/form/form.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { useForm } from '#web/components/form/use-form.ts';
import { createPasskey, PasskeyCancelled, passkeysSupported } from '#web/components/passkeys/passkeys.ts';
import { ProofDialog, type ProofWays } from '#web/components/proof/proof-dialog.tsx';
import { useToast } from '#web/components/toast.tsx';
import { browserName } from './browser-name.ts';
import styles from './passkeys.module.css';
import { AccountSection } from './section.tsx';

type Passkey = AccountExport['passkeys'][number];
type Open = 'proof' | { setUp: PasskeySetUp } | { rename: Passkey } | { remove: Passkey };

const dayOf = (at: number) => new Date(at).toLocaleDateString('pt-BR', { dateStyle: 'long' });

/** Adds, renames and deletes the passkeys of the account. */
export function Passkeys({ passkeys, ways }: { passkeys: Passkey[]; ways: ProofWays }) {
  const revalidator = useRevalidator();
  const notify = useToast();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);

  async function finish(message: string) {
    close();
    await revalidator.revalidate();
    notify(message);
  }

  return (
    <AccountSection
      title="Chaves de acesso"
      lead="Entre com a digital, o rosto ou o PIN do aparelho, sem senha nem código. Trocar a senha não apaga as chaves."
    >
      {passkeys.length > 0 && (
        <ul className={styles.list}>
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <KeyRound />
              <div>
                <p className={styles.name}>{passkey.name}</p>
                <p className={styles.dates}>
                  {`Criada em ${dayOf(passkey.createdAt)}. ${
                    passkey.lastUsedAt === null
                      ? 'Ainda não usada.'
                      : `Usada pela última vez em ${dayOf(passkey.lastUsedAt)}.`
                  }`}
                </p>
                <div className={styles.actions}>
                  <Button variant="quiet" size="small" onClick={() => setOpen({ rename: passkey })}>
                    Mudar o nome<span className="visually-hidden">{`: ${passkey.name}`}</span>
                  </Button>
                  <Button variant="quiet" size="small" onClick={() => setOpen({ remove: passkey })}>
                    Deletar<span className="visually-hidden">{`: ${passkey.name}`}</span>
                  </Button>
                </div>
              </div>
            </li>
          ))}
        </ul>
      )}
      {passkeysSupported() ? (
        <Button variant="quiet" onClick={() => setOpen('proof')}>
          Criar uma chave de acesso
        </Button>
      ) : (
        <p>Este navegador não cria chaves de acesso. Tente em outro aparelho ou navegador.</p>
      )}
      {open === 'proof' && (
        <ProofDialog
          ways={ways}
          title="Criar uma chave de acesso"
          action="Continuar"
          working="Um momento…"
          onProof={async (proof) => setOpen({ setUp: await client.auth.beginPasskey(proof) })}
          onClose={close}
        />
      )}
      {typeof open === 'object' && 'setUp' in open && (
        <NameDialog
          title="Criar uma chave de acesso"
          initial={browserName(navigator.userAgent)}
          action="Criar a chave"
          onName={async (name) => {
            try {
              const credential = await createPasskey(open.setUp);
              await client.auth.addPasskey({ name, credential });
              await finish('Chave de acesso criada.');
            } catch (error) {
              if (!(error instanceof PasskeyCancelled)) throw error;
            }
          }}
          onClose={close}
        />
      )}
      {typeof open === 'object' && 'rename' in open && (
        <NameDialog
          title="Mudar o nome da chave"
          initial={open.rename.name}
          action="Salvar o nome"
          onName={async (name) => {
            await client.auth.renamePasskey(open.rename.id, name);
            await finish('Nome salvo.');
          }}
          onClose={close}
        />
      )}
      {typeof open === 'object' && 'remove' in open && (
        <ProofDialog
          ways={ways}
          title={`Deletar a chave “${open.remove.name}”?`}
          action="Deletar a chave"
          working="Deletando…"
          danger
          onProof={async (proof) => {
            await client.auth.deletePasskey(open.remove.id, proof);
            await finish('Chave de acesso deletada. Apague-a também no seu aparelho.');
          }}
          onClose={close}
        />
      )}
    </AccountSection>
  );
}

function NameDialog({
  title,
  initial,
  action,
  onName,
  onClose,
}: {
  title: string;
  initial: string;
  action: string;
  onName: (name: string) => Promise<void>;
  onClose: () => void;
}) {
  const { withSession, signInAgain } = useSignInAgain();
  const form = useForm({
    schema: passkeyRename,
    initial: { name: initial },
    submit: ({ name }) => withSession(() => onName(name)),
  });
  return (
    <Dialog title={title} size="narrow" onClose={onClose}>
      <Form
        form={form}
        actions={
          <div className={styles.actions}>
            <SubmitButton pending={form.pending} working="Um momento…">
              {action}
            </SubmitButton>
            <Button variant="quiet" onClick={onClose}>
              Cancelar
            </Button>
          </div>
        }
      >
        <TextField
          {...form.field('name')}
          label="Nome da chave"
          hint="Para saber depois em que aparelho ela está."
          autoComplete="off"
        />
      </Form>
      {signInAgain}
    </Dialog>
  );
}
