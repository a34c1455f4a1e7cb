import { useId } from 'react';
import { wavePath } from '../art/petal.ts';
import styles from './audio-player.module.css';
import { Pause, Play } from './media-icons.tsx';

/** The state of the audio element, with times in seconds. An unknown `duration` is 0. */
export type AudioState = { playing: boolean; waiting: boolean; time: number; duration: number };

/** The site's own audio controls: play, pause, and seek on a wave. */
export function AudioControls({
  title,
  playing,
  waiting,
  time,
  duration,
  onToggle,
  onSeek,
}: AudioState & {
  title: string;
  onToggle: () => void;
  onSeek: (time: number) => void;
}) {
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

/** The progress line: the wave of Copacabana's pavement. In a wider line, the wave has more periods. */
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

/** Formats 65 seconds as `1:05`. */
function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** Formats 65 seconds as `1 minuto e 5 segundos`. */
function spoken(seconds: number): string {
  const whole = Math.floor(seconds);
  const parts = [count(Math.floor(whole / 60), 'minuto'), count(whole % 60, 'segundo')];
  return parts.filter(Boolean).join(' e ') || '0 segundos';
}

const count = (number: number, unit: string) => number > 0 && `${number} ${unit}${number === 1 ? '' : 's'}`;
