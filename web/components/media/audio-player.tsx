import { type SyntheticEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { AudioControls, type AudioState } from './audio-controls.tsx';
import styles from './audio-player.module.css';

type Sound = {
  src: string;
  title: string;
  /** Called whenever the sound starts or continues. */
  onPlay?: (() => void) | undefined;
  /** Called when the sound has played to its end. */
  onEnd?: (() => void) | undefined;
};

/**
 * Plays a sound file of this site. For a sound on another site, the component shows only a link, because
 * loading the sound would tell that site who visits this page.
 */
export function AudioPlayer(sound: Sound) {
  const { src, title } = sound;
  if (src.startsWith('/')) return <Player {...sound} />;
  return (
    <p>
      <a className={styles.link} href={src} target="_blank" rel="noopener">
        Ouvir o áudio<span className="visually-hidden">{`: ${title} (abre em outra aba)`}</span>
      </a>
    </p>
  );
}

type State = AudioState & { failed: boolean };

/** Shows the browser's controls until hydration, then our controls. */
function Player({ src, title, onPlay, onEnd }: Sound) {
  const audio = useRef<HTMLAudioElement>(null);
  const [ours, setOurs] = useState(false);
  useEffect(() => {
    // Removing focused controls would lose the focus, so keep the browser's controls until the focus leaves.
    if (document.activeElement !== audio.current) setOurs(true);
    else audio.current?.addEventListener('blur', () => setOurs(true), { once: true });
  }, []);
  const [state, setState] = useState<State>({
    playing: false,
    waiting: false,
    failed: false,
    time: 0,
    duration: 0,
  });
  usePauseForOthers(audio);
  const change = (part: Partial<State>) => setState((before) => ({ ...before, ...part }));
  function begin() {
    change({ playing: true, failed: false });
    onPlay?.();
  }
  const beginEarly = useEffectEvent(begin);
  useEffect(() => {
    // The user may have started the sound before hydration.
    if (audio.current?.paused === false) beginEarly();
  }, []);

  const read = ({ currentTarget: { currentTime, duration } }: SyntheticEvent<HTMLAudioElement>) =>
    change({ time: currentTime, duration: Number.isFinite(duration) ? duration : 0 });

  function toggle() {
    if (state.playing) audio.current?.pause();
    // The `error` event reports failures. `play` also rejects when the user pauses before the start.
    else audio.current?.play().catch(() => {});
  }

  function seek(time: number) {
    if (audio.current) audio.current.currentTime = time;
    change({ time });
  }

  return (
    <div className={styles.box}>
      {/* biome-ignore lint/a11y/useMediaCaption: the page has the same content as text. */}
      <audio
        ref={audio}
        className={styles.native}
        controls={!ours}
        preload="none"
        src={src}
        aria-label={`Áudio: ${title}`}
        onPlay={begin}
        onPause={() => change({ playing: false, waiting: false })}
        onWaiting={() => change({ waiting: true })}
        onPlaying={() => change({ waiting: false })}
        onError={() => change({ playing: false, waiting: false, failed: true })}
        onEnded={() => {
          seek(0);
          onEnd?.();
        }}
        onDurationChange={read}
        onTimeUpdate={read}
      />
      {ours && <AudioControls title={title} {...state} onToggle={toggle} onSeek={seek} />}
      {state.failed && (
        <p className={styles.failure} role="alert">
          Este áudio não pôde ser tocado. <a href={src}>Abrir o arquivo</a>
        </p>
      )}
    </div>
  );
}

/** Pauses this sound when another sound of the page starts. */
function usePauseForOthers(audio: { current: HTMLAudioElement | null }) {
  useEffect(() => {
    const pause = ({ target }: Event) => {
      if (target !== audio.current) audio.current?.pause();
    };
    // Listen in the capture phase, because `play` does not bubble.
    document.addEventListener('play', pause, true);
    return () => document.removeEventListener('play', pause, true);
  }, [audio]);
}
