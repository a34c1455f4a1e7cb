import { FileAudio } from 'lucide-react';
import type { FileKind } from '#contract/storage.ts';
import { sizeInWords } from './file-size.ts';
import styles from './upload-field.module.css';
import { PendingPicture } from './upload-preview.tsx';

/** Shows a file that the user has chosen but that is not stored yet. */
export function ChosenFile({ file, kind }: { file: File; kind: FileKind }) {
  return (
    <div className={styles.chosen}>
      {kind === 'audio' ? (
        <FileAudio className={styles.icon} />
      ) : (
        <PendingPicture file={file} round={kind === 'profile-picture'} />
      )}
      <p className={styles.text}>
        <strong>{file.name}</strong>
        <span>{sizeInWords(file.size)}</span>
      </p>
    </div>
  );
}
