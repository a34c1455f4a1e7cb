import styles from './audio-player.module.css';

/** Plays a sound file of this site; a sound elsewhere is only linked, because it would learn who visits. */
export function AudioPlayer({ src, title }: { src: string; title: string }) {
  if (!src.startsWith('/')) {
    return (
      <p>
        <a className={styles.link} href={src} target="_blank" rel="noopener">
          Ouvir o áudio<span className="visually-hidden">: {title} (abre em outra aba)</span>
        </a>
      </p>
    );
  }
  return (
    // biome-ignore lint/a11y/useMediaCaption: the practice's text stands beside it.
    <audio className={styles.player} controls preload="none" src={src} aria-label={`Áudio: ${title}`} />
  );
}
