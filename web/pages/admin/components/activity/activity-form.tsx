import { type ReactNode, useState } from 'react';
import { type Activity, activityInput } from '#contract/activity.ts';
import { formAxes } from '#contract/axes.ts';
import { limits } from '#contract/limits.ts';
import { TextField } from '#web/components/form/field.tsx';
import { ErrorSummary } from '#web/components/form/form.tsx';
import { FormMessage } from '#web/components/form/form-message.tsx';
import { TextAreaField } from '#web/components/form/text-area-field.tsx';
import { type FormOptions, useForm } from '#web/components/form/use-form.ts';
import { ActivityFiles, useFilesUnderWay } from './activity-files.tsx';
import styles from './activity-form.module.css';
import { AxisChoice } from './axis-choice.tsx';
import { VideoFound, VideoPreview } from './video-found.tsx';

export type ActivityValues = Record<'title' | 'url' | 'content' | 'axis' | 'image' | 'audio', string>;

const labels = { title: 'Título', url: 'Link do vídeo', content: 'Conteúdo', axis: 'Eixo' };

/** The values of the form's fields for an activity. */
export const valuesOf = ({ title, url, content, axis, image, audio }: Activity): ActivityValues => ({
  title,
  url,
  content,
  axis,
  image,
  audio,
});

export const isChanged = (before: ActivityValues, now: ActivityValues) =>
  Object.entries(before).some(([name, value]) => now[name as keyof ActivityValues] !== value);

export const useActivityForm = (
  initial: ActivityValues,
  submit: FormOptions<keyof ActivityValues, typeof activityInput>['submit'],
) => {
  const form = useForm({ schema: activityInput, initial, submit, labels, drafted: true });
  const uploads = useFilesUnderWay();
  return { ...form, ...uploads };
};
type ActivityFormState = ReturnType<typeof useActivityForm>;

/** The form of a new or edited activity. */
export function ActivityForm({
  form,
  kept = false,
  isNew = false,
  children,
  actions,
}: {
  form: ActivityFormState;
  /** Whether this device keeps a draft of the values. */
  kept?: boolean;
  isNew?: boolean;
  /** Shown above the fields. */
  children?: ReactNode;
  actions: ReactNode;
}) {
  const { axis, url } = form.values;
  // An activity from before the narrower axes may keep the axis `values`.
  const [offered] = useState(() => (axis === 'values' ? [...formAxes, 'values' as const] : formAxes));
  return (
    <form {...form.props} className={styles.form}>
      <ErrorSummary problems={form.problems} />
      {children}
      <div className={styles.main}>
        <TextField {...form.field('title')} label={labels.title} autoComplete="off" />
        <TextField
          {...form.field('url')}
          label={labels.url}
          hint="Cole o endereço do YouTube, como aparece no navegador."
          type="url"
          inputMode="url"
          autoComplete="off"
          note={<VideoFound link={url} />}
        />
        <VideoPreview link={url} title={form.values.title} axis={axis} />
        <TextAreaField {...form.field('content')} label={labels.content} rows={limits.contentRows} />
      </div>
      <div className={styles.side}>
        <AxisChoice {...form.field('axis')} offered={offered} />
        <ActivityFiles form={form} isNew={isNew} />
      </div>
      <div className={styles.save}>
        <FormMessage message={form.message} onReload={form.onReload} />
        {actions}
        <p className={styles.kept} role="status">
          {kept && 'Rascunho guardado neste aparelho até você salvar.'}
        </p>
      </div>
    </form>
  );
}
