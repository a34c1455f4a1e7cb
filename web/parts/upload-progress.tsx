import { useId } from 'react';
import styles from './upload-progress.module.css';

/** Steps in which progress is announced: each percent would be noise. */
const announcedPercent = 25;

/** How far an upload is, for eyes and ears. */
export function UploadProgress({
  name,
  percent,
  delay,
  label,
}: {
  name: 'running' | 'paused';
  percent: number;
  /** Why nothing moves at the moment. */
  delay: string | undefined;
  /** What is being sent. */
  label: string;
}) {
  const id = useId();
  const paused = name === 'paused';
  return (
    <>
      <div className={styles.progress}>
        <progress aria-labelledby={id} max={100} value={percent} />
        <p className={styles.words} id={id}>
          <span>
            {paused ? 'Pausado' : percent === 100 ? 'Conferindo' : 'Enviando'}
            <span className="visually-hidden">: {label}</span>
          </span>
          <span className={styles.percent}>{percent}%</span>
        </p>
      </div>
      <p className={styles.delay} role="status">
        {delay}
      </p>
      <p className="visually-hidden" role="status">
        {paused ? `${label}: envio pausado.` : announcementOf(label, percent)}
      </p>
    </>
  );
}

function announcementOf(label: string, percent: number): string {
  const step = Math.floor(percent / announcedPercent) * announcedPercent;
  return step === 0 ? `${label}: envio começou.` : `${label}: ${step}% enviado.`;
}
