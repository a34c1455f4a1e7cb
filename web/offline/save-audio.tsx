import { useEffect, useState } from 'react';
import { Button } from '#web/components/button.tsx';
import { Link } from '#web/components/link.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import { sizeInWords } from '#web/components/upload/upload-kinds.ts';
import { audioSize, canUseOffline, listAudio, removeAudio, saveAudio } from './device.ts';
import styles from './save-audio.module.css';

/** Without a size, the button is not shown: the file is not on this site, or there is no network. */
type State =
  | { name: 'unknown' }
  | { name: 'offered'; sizeBytes: number; failure?: string }
  | { name: 'saving'; sizeBytes: number; part: number }
  | { name: 'saved'; sizeBytes: number };

/** Saves the audio of a practice on a device whose user has chosen to use the site without network. */
export function SaveAudio({ src, title, path }: { src: string; title: string; path: string }) {
  const [state, setState] = useState<State>({ name: 'unknown' });
  useEffect(() => {
    let left = false;
    findState(src).then(
      (found) => left || setState(found),
      () => undefined,
    );
    return () => {
      left = true;
    };
  }, [src]);

  async function save(sizeBytes: number) {
    setState({ name: 'saving', sizeBytes, part: 0 });
    try {
      await saveAudio({ src, title, path }, (part) => setState({ name: 'saving', sizeBytes, part }));
      setState({ name: 'saved', sizeBytes });
    } catch (error) {
      setState({ name: 'offered', sizeBytes, failure: reasonOf(error, sizeBytes) });
    }
  }

  if (state.name === 'unknown') return null;
  const size = sizeInWords(state.sizeBytes);
  return (
    <div className={styles.audio}>
      <FormMessage message={(state.name === 'offered' && state.failure) || ''} />
      <div className={styles.line}>
        {state.name === 'saved' ? (
          <Button
            variant="quiet"
            size="small"
            onClick={() =>
              void removeAudio(src).then(() => setState({ name: 'offered', sizeBytes: state.sizeBytes }))
            }
          >
            Remover o áudio
          </Button>
        ) : (
          <Button
            variant="quiet"
            size="small"
            aria-disabled={state.name === 'saving'}
            onClick={() => state.name === 'offered' && void save(state.sizeBytes)}
          >
            {state.name === 'saving' ? 'Guardando…' : <span>{`Guardar áudio (${size})`}</span>}
          </Button>
        )}
        {state.name === 'saving' && <progress aria-label="Quanto já foi guardado" value={state.part} />}
        <p role="status">
          {state.name === 'saved' && (
            <>
              <span>{`Guardado neste aparelho (${size}). Toca sem internet.`}</span>{' '}
              <Link to="/aparelho">Ver tudo</Link>
            </>
          )}
        </p>
      </div>
    </div>
  );
}

async function findState(src: string): Promise<State> {
  if (!canUseOffline()) return { name: 'unknown' };
  const saved = (await listAudio()).find((one) => one.src === src);
  if (saved) return { name: 'saved', sizeBytes: saved.sizeBytes };
  return { name: 'offered', sizeBytes: await audioSize(src) };
}

function reasonOf(error: unknown, sizeBytes: number): string {
  return error instanceof DOMException && error.name === 'QuotaExceededError'
    ? `Não há espaço neste aparelho para este áudio (${sizeInWords(sizeBytes)}). Ele não foi guardado.`
    : 'O áudio não chegou inteiro, e não foi guardado. Tente de novo com internet.';
}
