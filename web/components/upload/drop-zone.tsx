import { type DragEvent, type ReactNode, useEffect, useState } from 'react';
import type { FileKind } from '#contract/storage.ts';
import styles from './upload-field.module.css';

/** An area for dropping a file. If the user drops several files, it takes the first. */
export function DropZone({
  kind,
  onFile,
  children,
}: {
  kind: FileKind;
  onFile: (file: File | undefined) => void;
  children: ReactNode;
}) {
  const [over, setOver] = useState(false);

  useEffect(() => {
    // Without this, a file that the user drops beside the zone replaces the page.
    const prevent = (event: globalThis.DragEvent) => event.preventDefault();
    window.addEventListener('dragover', prevent);
    window.addEventListener('drop', prevent);
    return () => {
      window.removeEventListener('dragover', prevent);
      window.removeEventListener('drop', prevent);
    };
  }, []);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keyboard users use the file input inside it.
    <div
      className={styles.zone}
      data-over={over ? '' : undefined}
      data-kind={kind}
      onDragOver={(event: DragEvent) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event: DragEvent) => {
        event.preventDefault();
        setOver(false);
        onFile(event.dataTransfer.files[0]);
      }}
    >
      {children}
    </div>
  );
}
