import { useEffect, useRef } from 'react';
import { isSample } from '#contract/site/sample-values.ts';
import { useContent } from '#web/app/services.ts';
import { Button } from '#web/components/button.tsx';
import { Crisis } from '#web/components/crisis.tsx';
import styles from './crisis-panel.module.css';

/**
 * Help in a crisis, shown after an entry was saved (`needsCrisisPanel`). It takes the focus, so that screen
 * readers announce it, and gives it back when the user closes it. It sends no request.
 */
export function CrisisPanel({ onClose }: { onClose: () => void }) {
  const { whatsapp } = useContent('identity');
  const panel = useRef<HTMLElement>(null);
  const before = useRef<Element>(null);
  useEffect(() => {
    before.current = document.activeElement;
    panel.current?.focus();
  }, []);

  function close() {
    const main = panel.current?.closest('main');
    onClose();
    const target = before.current?.isConnected && before.current !== document.body ? before.current : main;
    if (target instanceof HTMLElement) target.focus();
  }

  return (
    <Crisis
      ref={panel}
      className={styles.panel}
      title="Algumas palavras pesam."
      lead="Se houver perigo agora, fale com alguém."
    >
      <div className={styles.people}>
        <p>Conte também a alguém de confiança.</p>
        {!isSample(whatsapp) && (
          <p>
            Para falar com o consultório: <a href={`tel:+${whatsapp}`}>{asRead(whatsapp)}</a>
          </p>
        )}
      </div>
      <Button variant="quiet" size="small" className={styles.close} onClick={close}>
        Fechar
      </Button>
    </Crisis>
  );
}

/** `5511912345678` becomes `(11) 91234-5678`. */
const asRead = (number: string) => number.replace(/^55(\d\d)(\d{4,5})(\d{4})$/, '($1) $2-$3');
