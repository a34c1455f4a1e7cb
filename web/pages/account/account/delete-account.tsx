import { useState } from 'react';
import { useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { client } from '#web/app/client.ts';
import { useServices } from '#web/app/services.ts';
import { Button } from '#web/components/button.tsx';
import { TextField } from '#web/components/form/field.tsx';
import { useToast } from '#web/components/toast.tsx';
import { ProofDialog, type ProofWays } from './proof-dialog.tsx';
import { AccountSection } from './section.tsx';

/** Deletes the account, after a dialog that asks for the proof and for a word. */
export function DeleteAccount({ ways }: { ways: ProofWays }) {
  const [asking, setAsking] = useState(false);
  return (
    <AccountSection title="Deletar a conta" lead="Na hora, e sem volta.">
      <Button variant="danger" onClick={() => setAsking(true)}>
        Deletar minha conta
      </Button>
      {asking && <DeleteDialog ways={ways} onClose={() => setAsking(false)} />}
    </AccountSection>
  );
}

const word = 'deletar';
const wordMessage = `Digite a palavra “${word}”.`;
const wordSchema = z.string(wordMessage).check(z.regex(new RegExp(`^\\s*${word}\\s*$`, 'i'), wordMessage));

function DeleteDialog({ ways, onClose }: { ways: ProofWays; onClose: () => void }) {
  const { session } = useServices();
  const navigate = useNavigate();
  const notify = useToast();

  return (
    <ProofDialog
      ways={ways}
      title="Deletar a sua conta?"
      action="Deletar para sempre"
      working="Deletando…"
      danger
      field={{
        name: 'word',
        schema: wordSchema,
        render: (state) => (
          <TextField {...state} label={`Para confirmar, digite “${word}”`} autoComplete="off" />
        ),
      }}
      onProof={async (proof) => {
        await client.auth.deleteAccount(proof);
        await navigate('/');
        // The session ended with the account. Remove the user data from this device and sign out other tabs.
        await session.signOut();
        notify('Sua conta foi deletada.');
      }}
      onClose={onClose}
    >
      <p>Vão embora, sem volta:</p>
      <ul>
        <li>seu nome, seu e-mail, sua foto e seu acesso;</li>
        <li>seu registro de palavras e humor;</li>
        <li>as práticas que você guardou;</li>
        <li>as entradas em todos os aparelhos;</li>
        <li>a assinatura da carta neste e-mail.</li>
      </ul>
      <p>O prontuário das consultas não fica neste site e não muda.</p>
    </ProofDialog>
  );
}
