import { useCallback, useState } from 'react';
import { AudioPlayer } from '#web/components/media/audio-player.tsx';
import { UploadField } from '#web/components/upload/upload-field.tsx';
import { StoredPicture } from '#web/components/upload/upload-preview.tsx';
import styles from './activity-files.module.css';

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

/** The picture and the sound of an activity. Their folders depend on the axis, as the specification says. */
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
        label="Imagem"
        kind="image"
        folder={folderIn('postImages', isNew ? '/theory' : '')}
        beforeFolder={beforeFolder}
        value={image}
        onUploaded={form.field('image').onValue}
        onRemove={() => form.field('image').onValue('')}
        onBusy={onImageBusy}
        done="Image Uploaded"
      >
        {image && <Stored address={image} what="Imagem da prática" />}
      </UploadField>
      <UploadField
        label="Áudio"
        kind="audio"
        folder={folderIn('postAudios')}
        beforeFolder={beforeFolder}
        value={audio}
        onUploaded={form.field('audio').onValue}
        onRemove={() => form.field('audio').onValue('')}
        onBusy={onAudioBusy}
        done="Audio Uploaded"
      >
        {audio && <AudioPlayer src={audio} title="áudio da prática" />}
      </UploadField>
    </>
  );
}

/** Shows only the site's name for pictures of other sites: loading one would tell that site who visits. */
function Stored({ address, what }: { address: string; what: string }) {
  if (address.startsWith('/')) return <StoredPicture src={address} alt={what} />;
  return (
    <p className={styles.elsewhere}>
      A imagem fica em {new URL(address).hostname}, e não é mostrada aqui nem nas práticas.
    </p>
  );
}
