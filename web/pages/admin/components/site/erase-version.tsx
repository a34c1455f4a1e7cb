import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { client } from '#web/app/client.ts';
import { Button } from '#web/components/button.tsx';
import { Dialog } from '#web/components/dialog.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import { useToast } from '#web/components/toast.tsx';
import { useAction } from '#web/components/use-action.ts';

/** Erases an older version for good, for example one with a private phone number. A dialog asks first. */
export function EraseVersion({ version }: { version: number }) {
  const { revalidate } = useRevalidator();
  const notify = useToast();
  const action = useAction();
  const { withSession, signInAgain } = useSignInAgain();
  const [asking, setAsking] = useState(false);

  const erase = () =>
    action.run(async () => {
      await withSession(() => client.site.eraseVersion(version));
      setAsking(false);
      await revalidate();
      notify(`A versão ${version} foi deletada.`);
    });

  return (
    <>
      <Button variant="quiet" size="small" onClick={() => setAsking(true)}>
        Deletar
      </Button>
      {asking && (
        <Dialog
          title={`Deletar a versão ${version}?`}
          size="narrow"
          onClose={() => setAsking(false)}
          footer={
            <>
              <Button variant="danger" onClick={erase}>
                Deletar para sempre
              </Button>
              <Button variant="quiet" onClick={() => setAsking(false)}>
                Cancelar
              </Button>
            </>
          }
        >
          <p>
            O texto dela some para sempre, com as imagens e o áudio que nenhuma outra versão usa. Não dá para
            desfazer. O site não muda.
          </p>
          <p>Se o que você quer deletar está também em outras versões, delete cada uma delas.</p>
          <FormMessage {...action.failure} />
        </Dialog>
      )}
      {signInAgain}
    </>
  );
}
