import { useState } from 'react';
import { useNavigate } from 'react-router';
import * as z from 'zod/mini';
import type { AccountExport } from '#contract/account.ts';
import { limits } from '#contract/limits.ts';
import { client } from '#web/app/client.ts';
import { useServices, useSession } from '#web/app/services.ts';
import { isAdmin, isEditor } from '#web/app/session.ts';
import { Button } from '#web/components/button.tsx';
import { ProofDialog, type ProofWays } from '#web/components/proof/proof-dialog.tsx';
import { useToast } from '#web/components/toast.tsx';
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
/**
 * What the deletion removes, by the field of the account export that contains it. An empty text means that
 * the line of another field says it.
 */
const deletedWith: Record<keyof AccountExport, string> = {
  user: 'seu nome, seu e-mail, sua foto e seu papel;',
  emailVerified: '',
  createdAt: '',
  lastSeenOn: '',
  nameFromGoogle: '',
  pictureFromGoogle: '',
  exportedAt: '',
  signInMethods: 'sua senha, suas chaves de acesso e as outras formas de entrar;',
  passkeys: '',
  emailChanges: 'as trocas de e-mail que ainda podem ser desfeitas;',
  sessions: 'as entradas em todos os aparelhos;',
  favourites: 'as práticas que você guardou, e as últimas abertas neste aparelho;',
  diaryConsents: '',
  diary: 'seu diário, com as autorizações, as notas para consultas e o registro de quem leu;',
  diaryShares: '',
  diaryReads: '',
  consultationNotes: '',
  assignments: 'as práticas que propuseram a você, e as suas respostas;',
  reminder: 'o lembrete por e-mail;',
  wordMood: 'seu registro de palavras e humor, com as imagens e os sons;',
  newsletter: 'a assinatura da carta neste e-mail;',
  invitations: 'os convites abertos;',
  clinician: '',
  accessLog: 'o registro de quem viu ou mudou os seus dados.',
  // The deletion removes the personal ones. The rest stays, and the dialog says so to editors and admins.
  files: '',
  savedActivities: '',
  deletedActivities: '',
  publishedVersions: '',
  draftSections: '',
};
const deletedLines = Object.values(deletedWith).filter((line) => line !== '');

function DeleteDialog({ ways, onClose }: { ways: ProofWays; onClose: () => void }) {
  const { session } = useServices();
  const present = useSession();
  const navigate = useNavigate();
  const notify = useToast();

  return (
    <ProofDialog
      ways={ways}
      title="Deletar a sua conta?"
      action="Deletar para sempre"
      working="Deletando…"
      danger
      fields={[
        {
          ...{ name: 'word', schema: wordSchema, autoComplete: 'off' },
          label: `Para confirmar, digite “${word}”`,
        },
      ]}
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
        {deletedLines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p>Ficam:</p>
      <ul>
        {isEditor(present) && (
          <li>as práticas, os arquivos delas e os textos do site que você fez, sem o seu nome;</li>
        )}
        {isAdmin(present) && <li>o seu nome nos registros das pessoas cujos dados você viu ou mudou;</li>}
        <li>{`cópias de segurança, cifradas, por até ${limits.backupMaxDays} dias;`}</li>
        <li>os registros de acesso que a lei exige, com data, hora e endereço IP, por seis meses;</li>
        <li>o prontuário das consultas, que não está neste site.</li>
      </ul>
    </ProofDialog>
  );
}
