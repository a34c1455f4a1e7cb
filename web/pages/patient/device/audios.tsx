import { Button } from '#web/components/button.tsx';
import { Link } from '#web/components/link.tsx';
import { sizeInWords } from '#web/components/upload/upload-kinds.ts';
import { removeAudio, type SavedAudio } from '#web/offline/device.ts';
import styles from '../device.module.css';

/** The saved audio with its sizes. */
export function SavedAudios({
  audios,
  onChange,
}: {
  audios: readonly SavedAudio[];
  onChange: () => Promise<void>;
}) {
  const total = audios.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  async function remove(src: string, button: HTMLButtonElement) {
    // The focused button disappears, so the focus moves to the main content.
    button.closest('main')?.focus();
    await removeAudio(src);
    await onChange();
  }
  return (
    <section className={styles.section} aria-labelledby="audios">
      <h2 id="audios">Áudios guardados</h2>
      {audios.length === 0 ? (
        <p>
          Nenhum ainda. Na página de uma prática com áudio, toque em “Guardar áudio”.{' '}
          <Link to="/practices">Ver as práticas</Link>
        </p>
      ) : (
        <>
          <ul className={styles.audios}>
            {audios.map(({ src, title, path, sizeBytes }) => (
              <li key={src}>
                <Link to={path}>{title}</Link>
                <span className={styles.note}>{sizeInWords(sizeBytes)}</span>
                <Button
                  variant="quiet"
                  size="small"
                  onClick={({ currentTarget }) => void remove(src, currentTarget)}
                >
                  Remover <span className="visually-hidden">{`o áudio: ${title}`}</span>
                </Button>
              </li>
            ))}
          </ul>
          {audios.length > 1 && <p className={styles.note}>{`${sizeInWords(total)} ao todo.`}</p>}
        </>
      )}
    </section>
  );
}
