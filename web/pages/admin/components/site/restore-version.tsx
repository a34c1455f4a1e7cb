import { useState } from 'react';
import { useNavigate } from 'react-router';
import { hasCode } from '#client/client-error.ts';
import { client } from '#web/app/client.ts';
import { Button } from '#web/components/button.tsx';
import { Dialog } from '#web/components/dialog.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import { useToast } from '#web/components/toast.tsx';
import { useAction } from '#web/components/use-action.ts';
import { sections } from './sections.ts';

/**
 * Replaces the draft with an older version of the site content. First, a dialog names the sections whose
 * unpublished changes would be lost.
 */
export function RestoreVersion({ version }: { version: number }) {
  const navigate = useNavigate();
  const notify = useToast();
  const action = useAction();
  const { withSession, signInAgain } = useSignInAgain();
  const [asked, setAsked] = useState<{ tag: string; replaced: string[]; again: boolean }>();

  async function loadQuestion(again: boolean) {
    const draft = await withSession(() => client.site.getDraft());
    const replaced = draft.sections
      .filter(({ changed }) => changed)
      .map(({ section }) => sections[section].label);
    setAsked({ tag: draft.tag, replaced, again });
  }
  const ask = () => action.run(() => loadQuestion(false));
  const restore = (tag: string) =>
    action.run(async () => {
      try {
        await withSession(() => client.site.restoreVersion(version, tag));
      } catch (error) {
        if (!hasCode(error, 'documents/precondition-failed')) throw error;
        return loadQuestion(true);
      }
      await navigate('/admin/site/publicar');
      notify(`A versão ${version} está no rascunho. O site só muda quando você publicar.`);
    });

  return (
    <>
      <Button variant="quiet" size="small" onClick={ask}>
        Voltar a esta versão
      </Button>
      {!asked && <FormMessage {...action.failure} />}
      {asked && (
        <Dialog
          title={`Voltar à versão ${version}?`}
          size="narrow"
          onClose={() => setAsked(undefined)}
          footer={
            <>
              <Button onClick={() => restore(asked.tag)}>Pôr no rascunho</Button>
              <Button variant="quiet" onClick={() => setAsked(undefined)}>
                Cancelar
              </Button>
            </>
          }
        >
          {asked.again && (
            <p role="alert">
              O rascunho mudou enquanto esta pergunta estava aberta. Confira e confirme de novo.
            </p>
          )}
          <p>Ela vai para o rascunho. O site só muda quando você publicar.</p>
          {asked.replaced.length > 0 && (
            <p>
              <strong>Atenção:</strong>{' '}
              <span>{`o rascunho atual se perde nestas partes: ${asked.replaced.join(', ')}.`}</span>
            </p>
          )}
          <FormMessage {...action.failure} />
        </Dialog>
      )}
      {signInAgain}
    </>
  );
}
