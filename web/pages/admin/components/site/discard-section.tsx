import { useState } from 'react';
import { createPortal } from 'react-dom';
import type { DraftSection } from '#contract/site/draft.ts';
import { client } from '#web/app/client.ts';
import { Button } from '#web/components/button.tsx';
import { Dialog } from '#web/components/dialog.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import { useToast } from '#web/components/toast.tsx';
import { useAction } from '#web/components/use-action.ts';
import { type NewerSection, newerSection } from './use-section.ts';

/** Resets a section of the draft to the published content, after a confirmation. */
export function DiscardSection({
  base,
  onDiscarded,
}: {
  base: DraftSection;
  onDiscarded: (published: DraftSection) => void;
}) {
  const notify = useToast();
  const action = useAction();
  const { withSession, signInAgain } = useSignInAgain();
  const [asking, setAsking] = useState(false);
  const [newer, setNewer] = useState<NewerSection>();

  const ask = () => {
    setNewer(undefined);
    setAsking(true);
  };
  const discard = () =>
    action.run(async () => {
      try {
        onDiscarded(await withSession(() => client.site.discardSection(newer?.saved ?? base)));
      } catch (error) {
        const found = newerSection(error);
        if (!found) throw error;
        if (found.saved.changed) return setNewer(found);
        // Another admin has discarded or published the draft, or the response to an earlier attempt was lost.
        onDiscarded(found.saved);
      }
      setAsking(false);
      notify('O rascunho voltou ao que está publicado.');
    });

  return (
    <>
      <Button variant="danger" size="small" onClick={ask}>
        Descartar rascunho
      </Button>
      {createPortal(
        // Without this, a submit in the dialog would bubble through the portal and save the editor's form.
        <div onSubmit={(event) => event.stopPropagation()}>
          {asking && (
            <Dialog
              title="Descartar o rascunho?"
              size="narrow"
              onClose={() => setAsking(false)}
              footer={
                <>
                  <Button variant="danger" onClick={discard}>
                    Descartar
                  </Button>
                  <Button onClick={() => setAsking(false)}>Ficar com o rascunho</Button>
                </>
              }
            >
              <p>Esta parte volta a ser como está no site. O que foi escrito no rascunho se perde.</p>
              {newer && (
                <p role="alert">
                  <strong>{newer.savedBy ?? 'Outra pessoa'}</strong> salvou esta parte depois que você a
                  abriu. Se você descartar, isso também se perde.
                </p>
              )}
              <FormMessage {...action.failure} />
            </Dialog>
          )}
          {signInAgain}
        </div>,
        document.body,
      )}
    </>
  );
}
