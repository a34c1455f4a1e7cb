import { Info } from 'lucide-react';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import type { AccountExport } from '#contract/account.ts';
import { email as emailSchema } from '#contract/credentials.ts';
import { client } from '#web/app/client.ts';
import { Button } from '#web/components/button.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import { ProofDialog, waysOf } from '#web/components/proof/proof-dialog.tsx';
import { useToast } from '#web/components/toast.tsx';
import { useAction } from '#web/components/use-action.ts';
import styles from './profile.module.css';

/** Changes the email address of the account, by a link that goes to the new address. */
export function EmailChange({ account, startedAt }: { account: AccountExport; startedAt: number }) {
  const { withSession, signInAgain } = useSignInAgain();
  const { pending, failure, run } = useAction();
  const revalidator = useRevalidator();
  const notify = useToast();
  const [asking, setAsking] = useState(false);
  const waiting = account.emailChanges.find(({ changedAt }) => changedAt === null);

  const withdraw = () =>
    run(async () => {
      await withSession(() => client.auth.withdrawEmailChange());
      await revalidator.revalidate();
      notify('Tudo como antes: o e-mail não muda.');
    });

  return (
    <>
      {waiting && (
        <p className={styles.state}>
          <Info />
          <span>
            Falta confirmar <span translate="no">{waiting.newEmail}</span> pelo link que enviamos para lá. Ele
            vale por 1 hora.
          </span>
        </p>
      )}
      <FormMessage {...failure} />
      <div className={styles.buttons}>
        <Button variant="quiet" size="small" onClick={() => setAsking(true)}>
          {waiting ? 'Usar outro e-mail' : 'Trocar o e-mail'}
        </Button>
        {waiting && (
          <Button variant="quiet" size="small" aria-disabled={pending || undefined} onClick={withdraw}>
            Desistir da troca
          </Button>
        )}
      </div>
      {asking && (
        <ProofDialog
          ways={waysOf(account, startedAt)}
          title="Trocar o e-mail"
          action="Enviar o link"
          working="Enviando…"
          fields={[{ name: 'email', schema: emailSchema, label: 'Novo e-mail', autoComplete: 'email' }]}
          onProof={async (proof, { email }) => {
            await client.auth.requestEmailChange({ ...proof, email });
            setAsking(false);
            await revalidator.revalidate();
            notify('Enviamos um link para o novo e-mail. Abra-o para concluir a troca.');
          }}
          onClose={() => setAsking(false)}
        >
          <p>
            Enviamos um link ao endereço novo, e um aviso ao de agora. Ao confirmar, os outros aparelhos saem
            da conta. Se você recebe a carta, ela continua indo para o endereço em que você a pediu.
          </p>
        </ProofDialog>
      )}
      {signInAgain}
    </>
  );
}
