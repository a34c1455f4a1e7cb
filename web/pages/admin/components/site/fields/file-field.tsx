import { useCallback } from 'react';
import { FieldError } from '#web/components/form/field.tsx';
import { AudioPlayer } from '#web/components/media/audio-player.tsx';
import { useToast } from '#web/components/toast.tsx';
import { UploadField } from '#web/components/upload/upload-field.tsx';
import { StoredPicture } from '#web/components/upload/upload-preview.tsx';
import type { FilePlan } from '../plans/plan.ts';
import { fieldId, useSectionEditing } from '../section-editing.ts';
import { type Path, valueAt } from '../values.ts';
import styles from './file-field.module.css';

/** A field for a picture or a sound. It uploads a file at once; visitors see the file after a publication. */
export function FileField({ plan, path }: { plan: FilePlan; path: Path }) {
  const { content, change, errorAt, setBusy } = useSectionEditing();
  const notify = useToast();
  const value = String(valueAt(content, path) ?? '');
  const place = path.join('.');
  const onBusy = useCallback((busy: boolean) => setBusy(place.split('.'), busy), [setBusy, place]);
  const isPicture = plan.file === 'image';

  function replace(url: string) {
    if (plan.withoutOld && value !== '') {
      const group = path.slice(0, -1);
      const dark = valueAt(content, [...group, 'dark']);
      change(group, plan.withoutOld);
      if (typeof dark === 'string' && dark.startsWith('/files/') && value.startsWith('/files/'))
        notify('A imagem para o modo escuro era do retrato anterior e saiu.', {
          action: { label: 'Desfazer', run: () => change([...group, 'dark'], dark) },
          plain: true,
        });
    }
    change(path, url);
  }
  return (
    <div id={fieldId(path)} tabIndex={-1} className={styles.file}>
      <UploadField
        label={plan.label}
        kind={plan.file}
        folder={plan.folder}
        value={value}
        required={!plan.optional}
        onUploaded={replace}
        onRemove={() => change(path, undefined)}
        onBusy={onBusy}
        done={isPicture ? 'Imagem enviada.' : 'Áudio enviado.'}
      >
        {value && isPicture && <StoredPicture src={value} alt="Imagem escolhida" />}
        {value && !isPicture && <AudioPlayer src={value} title="áudio escolhido" />}
      </UploadField>
      {plan.hint && <p className={styles.hint}>{plan.hint}</p>}
      <FieldError error={errorAt(path)} />
    </div>
  );
}
