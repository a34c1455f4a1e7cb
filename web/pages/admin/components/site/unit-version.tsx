import { AudioPlayer } from '#web/components/media/audio-player.tsx';
import { StoredPicture } from '#web/components/upload/upload-preview.tsx';
import { ComparedText } from '../versions/compared-text.tsx';
import styles from './unit-version.module.css';
import type { Unit } from './units.ts';

/** One of two versions of a field: a text with marks on what differs, a picture, or a sound. */
export function UnitVersion({
  unit,
  side,
  one,
  other,
}: {
  unit: Unit;
  side: 'one' | 'other';
  one: string;
  other: string;
}) {
  const text = side === 'one' ? one : other;
  if (text === '') return <p className={styles.nothing}>Vazio</p>;
  if (unit.file === 'image') return <StoredPicture src={text} alt={unit.label} />;
  if (unit.file === 'audio') return <AudioPlayer src={text} title={unit.label} />;
  return (
    <div className={styles.text}>
      <ComparedText side={side} one={one} other={other} />
    </div>
  );
}
