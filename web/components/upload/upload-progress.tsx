import { useEffect, useId, useRef, useState } from 'react';
import styles from './upload-progress.module.css';

/** The progress bar of an upload. */
export function UploadProgress({
  name,
  percent,
  bytes,
  delay,
  label,
}: {
  name: 'running' | 'paused';
  percent: number;
  /** The size of the file. */
  bytes: number;
  /** Why the upload waits; `undefined` while it does not wait. */
  delay: string | undefined;
  /** The name of the file's field. */
  label: string;
}) {
  const id = useId();
  const paused = name === 'paused';
  const running = !paused && delay === undefined;
  const timeLeft = useTimeLeft({ running, sent: (bytes * percent) / 100, total: bytes });
  return (
    <>
      <div className={styles.progress}>
        <progress aria-labelledby={id} max={100} value={percent} />
        <p className={styles.text} id={id}>
          <span>
            <span>{paused ? 'Pausado' : percent === 100 ? 'Conferindo' : 'Enviando'}</span>
            <span className="visually-hidden">{`: ${label}`}</span>
          </span>
          <span className={styles.percent}>{`${percent}%`}</span>
        </p>
      </div>
      {timeLeft && <p className={styles.left}>{timeLeft}</p>}
      <p className={styles.delay} role="status">
        {delay}
      </p>
    </>
  );
}

/** The time and the bytes that an estimate needs. Estimates from less progress would vary too much. */
const enough = { ms: 2_000, bytes: 100_000 };

/** Estimates the remaining time of an upload from its progress since the start or the last resume. */
function useTimeLeft({ running, sent, total }: { running: boolean; sent: number; total: number }) {
  const began = useRef<{ at: number; sent: number }>(undefined);
  const [text, setText] = useState('');

  useEffect(() => {
    if (!running) {
      began.current = undefined;
      setText('');
      return;
    }
    began.current ??= { at: Date.now(), sent };
    const ms = Date.now() - began.current.at;
    const bytes = sent - began.current.sent;
    if (ms < enough.ms || bytes < enough.bytes) return;
    setText(sent < total ? inWords(((total - sent) * ms) / bytes) : '');
  }, [running, sent, total]);

  return text;
}

/** Rounds up, because an upload that takes longer than announced annoys users. */
function inWords(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  if (minutes <= 1) return 'Falta menos de 1 minuto.';
  return minutes < 60 ? `Faltam cerca de ${minutes} minutos.` : 'Falta mais de 1 hora.';
}
