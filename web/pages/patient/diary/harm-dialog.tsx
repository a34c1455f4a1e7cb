import { useNavigate } from 'react-router';
import { isSample } from '#contract/site/sample-values.ts';
import { useContent } from '#web/app/services.ts';
import { Button, ButtonAnchor } from '#web/components/button.tsx';
import { Dialog } from '#web/components/dialog.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import { useAction } from '#web/components/use-action.ts';
import styles from './harm-dialog.module.css';

/**
 * What a user can do whom the diary burdens. For some people, writing about moods makes them worse.
 * @param pause undefined if there is nothing to pause
 */
export function HarmDialog({
  pause,
  onClose,
}: {
  pause: (() => Promise<void>) | undefined;
  onClose: () => void;
}) {
  const { whatsapp } = useContent('identity');
  const navigate = useNavigate();
  const { run, pending, failure } = useAction();
  const pauseNow = () =>
    run(async () => {
      await pause?.();
      onClose();
    });
  return (
    <Dialog title="O diário está me fazendo mal?" size="narrow" onClose={onClose}>
      <div className={styles.body}>
        <p>
          Para algumas pessoas, olhar para o que sentem todos os dias pesa mais do que ajuda. Acontece, e não
          é falha sua. Você pode parar quando quiser, sem explicar.
        </p>
        <FormMessage {...failure} />
        <ul className={styles.ways}>
          {pause && (
            <li>
              <Button aria-disabled={pending} onClick={pauseNow}>
                Pausar o diário
              </Button>
              <p>Sua área deixa de oferecer o diário. O que você escreveu fica guardado.</p>
            </li>
          )}
          <li>
            {isSample(whatsapp) ? (
              <p>Conte na próxima consulta como é anotar.</p>
            ) : (
              <>
                <ButtonAnchor
                  href={`https://wa.me/${whatsapp}`}
                  target="_blank"
                  rel="noopener"
                  variant="quiet"
                >
                  Falar com o consultório <span className="visually-hidden">(abre em outra aba)</span>
                </ButtonAnchor>
                <p>Ou conte na próxima consulta como é anotar.</p>
              </>
            )}
          </li>
          <li>
            <Button variant="quiet" onClick={() => void navigate('/diario/copias#apagar')}>
              Apagar o diário
            </Button>
            <p>Apaga tudo, para sempre.</p>
          </li>
        </ul>
        <p>
          Se houver perigo agora, ligue <a href="tel:188">188 (CVV)</a> ou <a href="tel:192">192 (SAMU)</a>.
        </p>
      </div>
    </Dialog>
  );
}
