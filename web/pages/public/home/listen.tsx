import type { HomeTexts } from '#contract/site/content.ts';
import { ChevronDown } from '#web/components/icons.tsx';
import { AudioPlayer } from '#web/components/media/audio-player.tsx';
import { Paragraphs } from '../components/paragraphs.tsx';
import styles from './listen.module.css';

/** A short audio track, and its text for visitors who cannot or do not want to listen. */
export function Listen({ texts: { title, text, audio, reading } }: { texts: HomeTexts['listen'] }) {
  return (
    <section className={styles.listen} aria-labelledby="ouvir">
      <div className={styles.inner}>
        <div className={styles.text}>
          <h2 id="ouvir">{title}</h2>
          <p>{text}</p>
        </div>
        <AudioPlayer src={audio} title={title} />
        <details className={styles.transcript}>
          <summary>
            Prefiro ler <ChevronDown />
          </summary>
          <div>
            <Paragraphs texts={reading} />
          </div>
        </details>
      </div>
    </section>
  );
}
