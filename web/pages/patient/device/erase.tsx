import { useState } from 'react';
import { eraseDevice } from '#web/app/device-memory.ts';
import { Button } from '#web/components/button.tsx';
import { Dialog } from '#web/components/dialog.tsx';
import { useAction } from '#web/components/use-action.ts';
import styles from '../device.module.css';

/** Stops the use without network, and erases what this device keeps. Needs no network and no account. */
export function EraseDevice({ waiting, onErased }: { waiting: number; onErased: () => Promise<void> }) {
  const [asking, setAsking] = useState(false);
  const { run, pending } = useAction();
  const erase = () =>
    run(async () => {
      await eraseDevice();
      setAsking(false);
      await onErased();
    });
  return (
    <section className={styles.section} aria-labelledby="parar">
      <h2 id="parar">Parar de usar sem internet</h2>
      <p>Apaga deste aparelho tudo o que está nesta página. O que já chegou ao site continua lá.</p>
      <p>
        <Button variant="danger" onClick={() => setAsking(true)}>
          Parar e apagar deste aparelho
        </Button>
      </p>
      {asking && (
        <Dialog
          title="Apagar deste aparelho?"
          size="narrow"
          onClose={() => setAsking(false)}
          footer={
            <>
              <Button variant="danger" aria-disabled={pending} onClick={erase}>
                {waiting > 0 ? 'Apagar mesmo assim' : 'Apagar'}
              </Button>
              <Button onClick={() => setAsking(false)}>Voltar</Button>
            </>
          }
        >
          {waiting > 0 ? (
            <p>
              <strong>
                {waiting === 1
                  ? '1 anotação ainda não chegou ao site, e se perde.'
                  : `${waiting} anotações ainda não chegaram ao site, e se perdem.`}
              </strong>
            </p>
          ) : (
            <p>As páginas e os áudios guardados saem deste aparelho. Você pode guardá-los de novo depois.</p>
          )}
        </Dialog>
      )}
    </section>
  );
}
