import { Check, Info } from 'lucide-react';
import { isYoutubeLink, videoIdOf } from '#contract/video.ts';
import styles from './video-found.module.css';

/** Says at once whether a link holds a video, and if not, why. Never an error: a text needs no video. */
export function VideoFound({ link }: { link: string }) {
  if (link.trim() === '') return null;
  const id = videoIdOf(link);
  if (id === undefined) {
    return (
      <span className={styles.none}>
        <Info /> {reasonFor(link)}
      </span>
    );
  }
  return (
    <span className={styles.found}>
      <strong>
        <Check /> Vídeo encontrado
      </strong>
      Código {id}
    </span>
  );
}

function reasonFor(link: string) {
  if (!/^https?:\/\/\S+\.\S/i.test(link.trim()))
    return 'Ainda não é um link completo: ele começa com https://.';
  if (!isYoutubeLink(link))
    return 'Este link não é do YouTube: a prática mostra o texto e o link, sem vídeo.';
  return 'O link é do YouTube, mas falta nele o código do vídeo, de 11 caracteres.';
}
