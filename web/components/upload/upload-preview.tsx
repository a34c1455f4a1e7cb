import { useEffect, useRef, useState } from 'react';
import { imageWidths } from '#contract/image-widths.ts';
import styles from './upload-preview.module.css';

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
