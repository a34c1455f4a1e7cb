import { useId, useState } from 'react';
import { useServices } from '#web/app/services.ts';
import { Button, ButtonAnchor } from '#web/components/button.tsx';
import { classNames } from '#web/components/class-names.ts';
import { WhatsApp } from '#web/components/icons.tsx';
import { Copy, Printer } from '#web/components/practice/practice-icons.tsx';
import { useToast } from '#web/components/toast.tsx';
import { useHydrated } from '#web/components/use-hydrated.ts';
import styles from './share.module.css';

/** Buttons that send a practice's URL by WhatsApp, copy the URL, or print the page. */
export function Share({ title, path }: { title: string; path: string }) {
  const { origin } = useServices().content.site;
  const notify = useToast();
  const scripted = useHydrated();
  const [byHand, setByHand] = useState(false);
  const id = useId();
  const url = origin + path;
  const message = encodeURIComponent(`${title}\n${url}`);

  async function copy() {
    try {
      await navigator.clipboard.writeText(url);
      notify('Link copiado.');
    } catch {
      // The browser cannot copy, for example without HTTPS: show the URL, so that the visitor can copy it.
      setByHand(true);
    }
  }

  return (
    <div className={classNames(styles.share, 'print-none')}>
      <ButtonAnchor
        href={`https://wa.me/?text=${message}`}
        target="_blank"
        rel="noopener"
        variant="quiet"
        size="small"
      >
        <WhatsApp />
        <span>
          Enviar pelo WhatsApp <span className="visually-hidden">(abre em outra aba)</span>
        </span>
      </ButtonAnchor>
      {scripted && (
        <>
          <Button variant="quiet" size="small" onClick={() => void copy()}>
            <Copy /> Copiar link
          </Button>
          <Button variant="quiet" size="small" onClick={() => window.print()}>
            <Printer /> Imprimir
          </Button>
        </>
      )}
      {byHand && (
        <p className={styles.byHand} role="status">
          <label htmlFor={id}>Copie o link daqui:</label>
          <input
            id={id}
            readOnly
            value={url}
            ref={(field) => field?.select()}
            onFocus={({ target }) => target.select()}
          />
        </p>
      )}
    </div>
  );
}
