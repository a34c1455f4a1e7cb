import { type ReactNode, useState } from 'react';
import { activityInput } from '#contract/activity.ts';
import { formAxes } from '#contract/axes.ts';
import { TextField } from '#web/components/form/field.tsx';
import { ErrorSummary } from '#web/components/form/form.tsx';
import { FormMessage } from '#web/components/form/form-message.tsx';
import { TextAreaField } from '#web/components/form/text-area-field.tsx';
import { type FormOptions, useForm } from '#web/components/form/use-form.ts';
import { ActivityFiles, useFilesUnderWay } from './activity-files.tsx';
import styles from './activity-form.module.css';
import { type ActivityField, type ActivityValues, fieldLabels } from './activity-values.ts';
import { AxisChoice } from './axis-choice.tsx';
import { VideoFound, VideoPreview } from './video-found.tsx';

/** The height of the content's text field, in lines. */
export const contentRows = 20;

export const useActivityForm = (
  initial: ActivityValues,
  submit: FormOptions<ActivityField, typeof activityInput>['submit'],
) => {
  const form = useForm({ schema: activityInput, initial, submit, labels: fieldLabels, drafted: true });
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
  // New activities cannot have the axis `values`, but older ones can keep it.
  const [offered] = useState(() => (axis === 'values' ? [...formAxes, 'values' as const] : formAxes));
  return (
    <form {...form.props} className={styles.form}>
      <ErrorSummary problems={form.problems} />
      {children}
      <div className={styles.main}>
        <TextField {...form.field('title')} label={fieldLabels.title} autoComplete="off" />
        <TextField
          {...form.field('url')}
          label={fieldLabels.url}
          hint="Cole o endereço do YouTube, como aparece no navegador."
          type="url"
          inputMode="url"
          autoComplete="off"
          note={<VideoFound link={url} />}
        />
        <VideoPreview link={url} title={form.values.title} axis={axis} image={form.values.image} />
        <TextAreaField {...form.field('content')} label={fieldLabels.content} rows={contentRows} />
      </div>
      <div className={styles.side}>
        <AxisChoice {...form.field('axis')} offered={offered} />
        <ActivityFiles form={form} isNew={isNew} />
      </div>
      <div className={styles.save}>
        <FormMessage message={form.message} onReload={form.onReload} />
        {actions}
        <p className={styles.draft} role="status">
          {form.uploading && 'Antes de salvar, deixe o envio do arquivo terminar, ou cancele-o.'}
        </p>
        <p className={styles.draft} role="status">
          {kept && 'O rascunho fica neste aparelho até você salvar.'}
        </p>
      </div>
    </form>
  );
}
