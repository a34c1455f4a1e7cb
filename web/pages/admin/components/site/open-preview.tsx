import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { useServices } from '#web/app/services-context.ts';
import { Button, ButtonAnchor } from '#web/components/button.tsx';
import { Dialog } from '#web/components/dialog.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import { useAction } from '#web/components/use-action.ts';
import styles from './open-preview.module.css';

const time = new Intl.DateTimeFormat('pt-BR', { timeStyle: 'short' });

/** Makes a link to a preview of the draft. The admin can open the link or send it to others. */
export function OpenPreview() {
  const { client } = useServices();
  const action = useAction();
  const { withSession, signInAgain } = useSignInAgain();
  const [link, setLink] = useState<{ url: string; expiresAt: number }>();

  const create = () =>
    action.run(async () => {
      const { path, expiresAt } = await withSession(() => client.site.createPreview());
      setLink({ url: window.location.origin + path, expiresAt });
    });

  return (
    <>
      <Button variant="quiet" size="small" onClick={create}>
        Ver como ficará
      </Button>
      <FormMessage {...action.failure} />
      {signInAgain}
      {link && (
        <Dialog
          title="Prévia do site"
          size="narrow"
          onClose={() => setLink(undefined)}
          footer={
            <ButtonAnchor href={link.url} target="_blank" rel="noopener">
              Abrir a prévia <ExternalLink aria-hidden="true" />
              <span className="visually-hidden">(abre em outra aba)</span>
            </ButtonAnchor>
          }
        >
          <p>
            Mostra o site com o rascunho salvo. Vale até <span>{time.format(link.expiresAt)}</span>, para quem
            tiver o endereço.
          </p>
          <label className={styles.address}>
            Endereço da prévia
            <input readOnly value={link.url} onFocus={(event) => event.target.select()} />
          </label>
        </Dialog>
      )}
    </>
  );
}
