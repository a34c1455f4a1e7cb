import { useCallback, useState } from 'react';
import { Quoted } from '#web/components/layout/messages.tsx';
import { AudioPlayer } from '#web/components/media/audio-player.tsx';
import { UploadField } from '#web/components/upload/upload-field.tsx';
import { StoredPicture } from '#web/components/upload/upload-preview.tsx';
import styles from './activity-form.module.css';
import { fieldLabels } from './activity-values.ts';

type FileName = 'image' | 'audio';

/** Tracks which files of a form are chosen but not stored yet. */
export function useFilesUnderWay() {
  const [underWay, setUnderWay] = useState<Record<FileName, boolean>>({ image: false, audio: false });
  const setBusy = useCallback(
    (name: FileName, busy: boolean) => setUnderWay((before) => ({ ...before, [name]: busy })),
    [],
  );
  return { uploading: underWay.image || underWay.audio, setBusy };
}

type FilesForm = {
  values: Record<FileName | 'axis', string>;
  field: (name: FileName) => { onValue: (value: string) => void };
  setBusy: (name: FileName, busy: boolean) => void;
};

/**
 * Fields for an activity's picture and sound. The specification requires a separate folder for the files of
 * each axis.
 */
export function ActivityFiles({ form, isNew }: { form: FilesForm; isNew: boolean }) {
  const { axis, image, audio } = form.values;
  const { setBusy } = form;
  const onImageBusy = useCallback((busy: boolean) => setBusy('image', busy), [setBusy]);
  const onAudioBusy = useCallback((busy: boolean) => setBusy('audio', busy), [setBusy]);
  const folderIn = (root: string, leaf = '') => (axis ? `${root}/${axis}${leaf}` : undefined);
  const beforeFolder = 'Escolha o eixo: o envio começa em seguida.';

  return (
    <>
      <UploadField
        label={fieldLabels.image}
        kind="image"
        folder={folderIn('postImages', isNew ? '/theory' : '')}
        beforeFolder={beforeFolder}
        value={image}
        onUploaded={form.field('image').onValue}
        onRemove={() => form.field('image').onValue('')}
        onBusy={onImageBusy}
        done={<Quoted english="Image Uploaded">Imagem enviada.</Quoted>}
      >
        {image && <Stored url={image} what="Imagem da prática" />}
      </UploadField>
      <UploadField
        label={fieldLabels.audio}
        kind="audio"
        folder={folderIn('postAudios')}
        beforeFolder={beforeFolder}
        value={audio}
        onUploaded={form.field('audio').onValue}
        onRemove={() => form.field('audio').onValue('')}
        onBusy={onAudioBusy}
        done={<Quoted english="Audio Uploaded">Áudio enviado.</Quoted>}
      >
        {audio && <AudioPlayer src={audio} title="áudio da prática" />}
      </UploadField>
    </>
  );
}

/** Shows the picture, unless it is on another site: loading it would tell that site of the visit. */
function Stored({ url, what }: { url: string; what: string }) {
  if (url.startsWith('/')) return <StoredPicture src={url} alt={what} />;
  return (
    <p className={styles.external}>
      A imagem fica em <span translate="no">{new URL(url).hostname}</span>, e não é mostrada aqui nem nas
      práticas.
    </p>
  );
}
