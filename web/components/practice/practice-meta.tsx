import type { Activity } from '#contract/activity.ts';
import { roundedMinutes, secondsOf } from '#contract/practices/length.ts';
import { videoIdOf } from '#contract/video.ts';
import { Play } from '../media/media-icons.tsx';
import styles from './practice-card.module.css';
import { AudioLines, AxisIcon, Clock, FileText } from './practice-icons.tsx';
import { kindOf, publicAxisNames } from './practice-names.ts';

/** Shows a practice's axis, kinds and length. */
export function PracticeMeta({
  activity,
}: {
  activity: Pick<Activity, 'axis' | 'url' | 'audio' | 'minutes' | 'audioSeconds'>;
}) {
  const { axis, url, audio } = activity;
  const seconds = secondsOf(activity);
  return (
    <ul className={styles.meta}>
      <li>
        <AxisIcon axis={axis} /> <span>{publicAxisNames[axis]}</span>
      </li>
      {videoIdOf(url) && (
        <li>
          <Play /> Vídeo
        </li>
      )}
      {audio && (
        <li>
          <AudioLines /> Áudio
        </li>
      )}
      {kindOf(activity) === 'text' && (
        <li>
          <FileText /> Leitura
        </li>
      )}
      {seconds !== undefined && (
        <li>
          <Clock /> <span>{`${roundedMinutes(seconds)} min`}</span>
        </li>
      )}
    </ul>
  );
}
