import { type SyntheticEvent, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import { wavePath } from './art/petal.ts';
import styles from './audio-player.module.css';
import { Pause, Play } from './icons.tsx';

/** Plays a sound file of this site; a sound elsewhere is only linked, because it would learn who visits. */
export function AudioPlayer({ src, title }: { src: string; title: string }) {
  if (src.startsWith('/')) return <Player src={src} title={title} />;
  return (
    <p>
      <a className={styles.link} href={src} target="_blank" rel="noopener">
        Ouvir o áudio<span className="visually-hidden">: {title} (abre em outra aba)</span>
      </a>
    </p>
  );
}

type State = { playing: boolean; waiting: boolean; failed: boolean; time: number; duration: number };

/** The browser's own player until the page's code is there; then the wave takes its place. */
function Player({ src, title }: { src: string; title: string }) {
  const audio = useRef<HTMLAudioElement>(null);
  const scripted = useScripted();
  const [state, setState] = useState<State>({
    playing: false,
    waiting: false,
    failed: false,
    time: 0,
    duration: 0,
  });
  usePauseForOthers(audio);

  const change = (part: Partial<State>) => setState((before) => ({ ...before, ...part }));
  const read = ({ currentTarget: { currentTime, duration } }: SyntheticEvent<HTMLAudioElement>) =>
    change({ time: currentTime, duration: Number.isFinite(duration) ? duration : 0 });

  function toggle() {
    if (state.playing) audio.current?.pause();
    // Why it could not play, `error` tells; a pause before it began is no failure.
    else audio.current?.play().catch(() => {});
  }

  function seek(time: number) {
    if (audio.current) audio.current.currentTime = time;
    change({ time });
  }

  return (
    <div className={styles.box}>
      {/* biome-ignore lint/a11y/useMediaCaption: what is heard stands in writing beside it. */}
      <audio
        ref={audio}
        className={styles.native}
        controls={!scripted}
        preload="none"
        src={src}
        aria-label={`Áudio: ${title}`}
        onPlay={() => change({ playing: true, failed: false })}
        onPause={() => change({ playing: false, waiting: false })}
        onWaiting={() => change({ waiting: true })}
        onPlaying={() => change({ waiting: false })}
        onError={() => change({ playing: false, waiting: false, failed: true })}
        onEnded={() => seek(0)}
        onDurationChange={read}
        onTimeUpdate={read}
      />
      {scripted && <Controls title={title} {...state} onToggle={toggle} onSeek={seek} />}
      {state.failed && (
        <p className={styles.failure} role="alert">
          Este áudio não pôde ser tocado. <a href={src}>Abrir o arquivo</a>
        </p>
      )}
    </div>
  );
}

function Controls({
  title,
  playing,
  waiting,
  time,
  duration,
  onToggle,
  onSeek,
}: Omit<State, 'failed'> & { title: string; onToggle: () => void; onSeek: (time: number) => void }) {
  const Icon = playing ? Pause : Play;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form's fields.
    <div className={styles.player} role="group" aria-label={`Áudio: ${title}`}>
      <button type="button" className={styles.play} onClick={onToggle}>
        <Icon aria-hidden="true" />
        <span className="visually-hidden">{playing ? 'Pausar' : 'Tocar'}</span>
      </button>
      <div className={styles.track}>
        <Wave part={duration === 0 ? 0 : time / duration} />
        <input
          type="range"
          className={styles.seek}
          aria-label="Posição no áudio"
          aria-valuetext={duration === 0 ? 'no começo' : `${spoken(time)} de ${spoken(duration)}`}
          min={0}
          max={Math.ceil(duration) || 1}
          step={1}
          value={Math.floor(time)}
          disabled={duration === 0}
          onChange={(event) => onSeek(event.target.valueAsNumber)}
        />
      </div>
      <p className={styles.time}>
        <span>{waiting ? 'Carregando…' : clock(time)}</span>
        {duration > 0 && <span>{clock(duration)}</span>}
      </p>
    </div>
  );
}

const line = wavePath({ count: 3, period: 44, height: 20, y: 12, shift: 44 });

/** The calçadão as a progress line, with the same period at any width. */
function Wave({ part }: { part: number }) {
  const id = useId();
  const strokes = [
    { name: 'rest', className: styles.rest, width: '100%' },
    { name: 'done', className: styles.done, width: `${part * 100}%` },
  ];
  return (
    <svg className={styles.wave} aria-hidden="true" focusable="false">
      <defs>
        {strokes.map(({ name, className }) => (
          <pattern key={name} id={id + name} width="44" height="44" patternUnits="userSpaceOnUse">
            <path className={className} d={line} />
          </pattern>
        ))}
      </defs>
      {strokes.map(({ name, width }) => (
        <rect key={name} width={width} height="44" fill={`url(#${id}${name})`} />
      ))}
    </svg>
  );
}

/** 65 seconds: `1:05`. */
function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** 65 seconds: `1 minuto e 5 segundos`. */
function spoken(seconds: number): string {
  const whole = Math.floor(seconds);
  const parts = [count(Math.floor(whole / 60), 'minuto'), count(whole % 60, 'segundo')];
  return parts.filter(Boolean).join(' e ') || '0 segundos';
}

const count = (number: number, unit: string) => number > 0 && `${number} ${unit}${number === 1 ? '' : 's'}`;

/** Whether the page's code is at work: not while it is rendered on the server, nor where it never arrives. */
const useScripted = () =>
  useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );

/** Pauses as soon as another sound of the page begins. */
function usePauseForOthers(audio: { current: HTMLAudioElement | null }) {
  useEffect(() => {
    const pause = ({ target }: Event) => {
      if (target !== audio.current) audio.current?.pause();
    };
    // `play` does not bubble.
    document.addEventListener('play', pause, true);
    return () => document.removeEventListener('play', pause, true);
  }, [audio]);
}
