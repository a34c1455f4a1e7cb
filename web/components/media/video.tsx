import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type Video as LinkedVideo, videoEmbedUrl, videoWatchUrl } from '#contract/video.ts';
import { useHydrated } from '../use-hydrated.ts';
import { Play } from './media-icons.tsx';
import styles from './video.module.css';

/**
 * A video behind our own poster. The page sends no request to YouTube before the user presses play. Without
 * JavaScript, the poster is a link to the video.
 */
export function Video({
  video,
  title,
  poster,
  onPlay,
}: {
  video: LinkedVideo;
  title: string;
  poster: ReactNode;
  onPlay?: () => void;
}) {
  const [playing, setPlaying] = useState(false);
  const scripted = useHydrated();
  const frame = useRef<HTMLIFrameElement>(null);

  useEffect(() => {
    if (playing) frame.current?.focus();
  }, [playing]);

  if (playing) {
    return (
      <>
        <div className={styles.video}>
          <iframe
            ref={frame}
            src={videoEmbedUrl(video)}
            title={`Vídeo: ${title}`}
            // YouTube's player refuses pages that do not send a referrer.
            referrerPolicy="strict-origin-when-cross-origin"
            allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
          />
        </div>
        {/* Always show this link, because a page cannot know whether another site's frame shows anything. */}
        <p className={styles.help}>
          Não abriu?{' '}
          <a href={videoWatchUrl(video)} target="_blank" rel="noopener">
            Veja no YouTube<span className="visually-hidden">{`: ${title} (abre em outra aba)`}</span>
          </a>
        </p>
      </>
    );
  }
  const face = (
    <>
      {poster}
      <span className={styles.play}>
        <Play /> Assistir <span className="visually-hidden">{title}</span>
      </span>
    </>
  );
  if (!scripted) {
    return (
      <a className={styles.video} href={videoWatchUrl(video)}>
        {face}
      </a>
    );
  }
  function play() {
    setPlaying(true);
    onPlay?.();
  }
  return (
    <button type="button" className={styles.video} onClick={play}>
      {face}
    </button>
  );
}
