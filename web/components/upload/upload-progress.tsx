import { useId } from 'react';
import styles from './upload-progress.module.css';
import { useTimeLeft } from './use-time-left.ts';

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
