import { useState } from 'react';
import { clinicianFields } from '#contract/diary/share.ts';
import type { ListedUser } from '#contract/user.ts';
import { client } from '#web/app/client.ts';
import { useSession } from '#web/app/services.ts';
import { Button } from '#web/components/button.tsx';
import { Dialog } from '#web/components/dialog.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import { ProofDialog, type ProofWays, waysOf } from '#web/components/proof/proof-dialog.tsx';
import { useToast } from '#web/components/toast.tsx';
import { useAction } from '#web/components/use-action.ts';
import { refreshClinicians, useClinicians } from '../components/clinicians.ts';
import styles from './edit-user.module.css';

/** Names an admin as a clinician, whom patients can allow to read their diaries, or ends that. */
export function DiaryReader({ user: { id, displayName } }: { user: ListedUser }) {
  const session = useSession();
  const clinician = useClinicians().find(({ uid }) => uid === id);
  const { withSession, signInAgain } = useSignInAgain();
  const { pending, failure, run } = useAction();
  const notify = useToast();
  const [open, setOpen] = useState<'remove' | { ways: ProofWays }>();
  const close = () => setOpen(undefined);

  const askProof = () =>
    run(async () => {
      const account = await withSession(() => client.documents.exportAccount());
      const startedAt = session.status === 'signed-in' ? session.session.startedAt : 0;
      setOpen({ ways: waysOf(account, startedAt) });
    });

  async function finish(message: string) {
    close();
    notify(message);
    await refreshClinicians().catch(() => undefined);
  }

  return (
    <section className={styles.reader} aria-labelledby={`${id}-reader`}>
      <h3 id={`${id}-reader`}>Quem lê diários</h3>
      {clinician && (
        <p>
          <strong translate="no">{`${clinician.name}, ${clinician.crm}`}</strong>
        </p>
      )}
      <p>
        {clinician
          ? 'Pacientes podem mostrar o diário a esta pessoa: só o que cada um escolher, por no máximo 90 dias.'
          : 'Com nome e CRM aqui, pacientes podem mostrar o diário a esta pessoa: só o que cada um escolher, por no máximo 90 dias. Sem isso, ninguém da administração lê diário nenhum.'}
      </p>
      <FormMessage {...failure} />
      <div className={styles.readerActions}>
        <Button variant="quiet" size="small" aria-disabled={pending || undefined} onClick={askProof}>
          {pending ? 'Um momento…' : clinician ? 'Mudar nome ou CRM' : 'Nomear para ler diários'}
        </Button>
        {clinician && (
          <Button variant="quiet" size="small" onClick={() => setOpen('remove')}>
            Tirar
          </Button>
        )}
      </div>
      {typeof open === 'object' && (
        <ProofDialog
          ways={open.ways}
          recentSignInIsEnough={false}
          title={clinician ? 'Mudar nome ou CRM' : `Nomear ${displayName} para ler diários`}
          action={clinician ? 'Salvar' : 'Nomear'}
          working="Salvando…"
          fields={[
            {
              ...{ name: 'name', schema: clinicianFields.shape.name, autoComplete: 'off' },
              ...{ label: 'Nome', hint: 'Como os pacientes conhecem esta pessoa.' },
              initial: clinician?.name ?? displayName,
            },
            {
              ...{ name: 'crm', schema: clinicianFields.shape.crm, autoComplete: 'off' },
              ...{ label: 'CRM', hint: 'Por exemplo, CRM-SP 123456.', initial: clinician?.crm ?? '' },
            },
          ]}
          onProof={async (proof, { name, crm }) => {
            await (await client.clinicians()).name(id, { name, crm, ...proof });
            await finish(clinician ? 'Salvo.' : 'Feito. Toda a administração recebe um aviso.');
          }}
          onClose={close}
        >
          <p>
            {clinician
              ? 'Mudar o nome ou o CRM encerra tudo o que pacientes mostram a esta pessoa agora. Toda a administração recebe um aviso.'
              : 'Confira no conselho se o nome e o CRM são desta pessoa: é por eles que um paciente decide confiar. Toda a administração recebe um aviso.'}
          </p>
          <p>
            Esta pessoa e você precisam usar a verificação em duas etapas ou uma chave de acesso, e você
            precisa ter entrado com ela.
          </p>
        </ProofDialog>
      )}
      {open === 'remove' && clinician && (
        <RemoveReader
          name={clinician.name}
          onRemove={async () => {
            await withSession(async () => (await client.clinicians()).remove(id));
            await finish(`${clinician.name} não lê mais diários.`);
          }}
          onClose={close}
        />
      )}
      {signInAgain}
    </section>
  );
}

function RemoveReader({
  name,
  onRemove,
  onClose,
}: {
  name: string;
  onRemove: () => Promise<void>;
  onClose: () => void;
}) {
  const { pending, failure, run } = useAction();
  return (
    <Dialog
      title={`Tirar ${name} de quem lê diários?`}
      size="narrow"
      onClose={onClose}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            Cancelar
          </Button>
          <Button variant="danger" aria-disabled={pending || undefined} onClick={() => run(onRemove)}>
            {pending ? 'Tirando…' : 'Tirar'}
          </Button>
        </>
      }
    >
      <FormMessage {...failure} />
      <p>
        O que pacientes mostram a esta pessoa se encerra na hora, e não volta: cada um precisaria autorizar de
        novo. A conta continua na administração, que recebe um aviso.
      </p>
    </Dialog>
  );
}
