import { FileAudio } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { imageWidths } from '#contract/image-widths.ts';
import type { FileKind } from '#contract/storage.ts';
import styles from './upload-field.module.css';
import { sizeInWords } from './upload-kinds.ts';

const previewWidth = 480;

/**
 * A picture that is not stored yet. A canvas shows it, because the content security policy does not allow
 * `blob:` URLs.
 */
export function PendingPicture({ file, round }: { file: File; round: boolean }) {
  const canvas = useRef<HTMLCanvasElement>(null);

  useEffect(() => {
    let gone = false;
    const draw = async () => {
      const picture = await createImageBitmap(file, { resizeWidth: previewWidth, resizeQuality: 'medium' });
      const target = canvas.current;
      if (!gone && target) {
        target.width = picture.width;
        target.height = picture.height;
        target.getContext('2d')?.drawImage(picture, 0, 0);
      }
      picture.close();
    };
    // Ignore a failure: if the picture is not valid, the server reports this when it receives the upload.
    draw().catch(() => {});
    return () => {
      gone = true;
    };
  }, [file]);

  return (
    <canvas
      ref={canvas}
      className={styles.picture}
      data-round={round ? '' : undefined}
      width="480"
      height="270"
    />
  );
}

/** Shows a small version of a picture on this site, and nothing for a picture on another site. */
export function StoredPicture({ src, alt }: { src: string; alt: string }) {
  const [missing, setMissing] = useState<string>();
  if (!src.startsWith('/')) return null;
  if (missing === src)
    return (
      <p className={styles.missing}>Esta imagem não pôde ser mostrada. Talvez ela já tenha sido removida.</p>
    );
  const small = src.startsWith('/files/') ? `${src}&width=${imageWidths[0]}` : src;
  return (
    <img
      className={styles.picture}
      src={small}
      alt={alt}
      width="480"
      height="270"
      onError={() => setMissing(src)}
    />
  );
}

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
