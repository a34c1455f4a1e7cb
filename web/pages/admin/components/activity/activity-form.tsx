import { type ReactNode, useState } from 'react';
import type { Activity } from '#contract/activity.ts';
import { formAxes } from '#contract/axes.ts';
import { needIdsIn } from '#contract/practices/needs.ts';
import { useContent } from '#web/app/services.ts';
import { controlProps, FieldLayout, type FieldState, TextField } from '#web/components/form/field.tsx';
import { ErrorSummary } from '#web/components/form/form.tsx';
import { CheckboxGroup, RadioGroup } from '#web/components/form/radio-group.tsx';
import { type FormOptions, useForm } from '#web/components/form/use-form.ts';
import { FormMessage } from '#web/components/notice.tsx';
import { SaveBar } from '../page-parts.tsx';
import { TextToolbar } from '../text-toolbar.tsx';
import { ActivityFiles, useFilesUnderWay } from './activity-files.tsx';
import styles from './activity-form.module.css';
import {
  type ActivityField,
  type ActivityValues,
  activityForm,
  fieldLabels,
  nightOptions,
  visibilityOptions,
} from './activity-values.ts';
import { AxisChoice } from './axis.tsx';
import { PatientPreview } from './patient-preview.tsx';
import { VideoField } from './video-field.tsx';

/** The height of the content's text field, in lines. */
export const contentRows = 20;

export const useActivityForm = (
  initial: ActivityValues,
  submit: FormOptions<ActivityField, typeof activityForm>['submit'],
) => {
  const form = useForm({ schema: activityForm, initial, submit, labels: fieldLabels });
  const uploads = useFilesUnderWay();
  return { ...form, ...uploads };
};
type ActivityFormState = ReturnType<typeof useActivityForm>;

/** The form of a new or edited activity. */
export function ActivityForm({
  form,
  kept = false,
  base,
  children,
  actions,
}: {
  form: ActivityFormState;
  /** True if this device keeps a draft of the values. */
  kept?: boolean;
  /** The saved version of an edited activity. */
  base?: Activity;
  /** Shown above the fields. */
  children?: ReactNode;
  actions: ReactNode;
}) {
  const { axis } = form.values;
  const content = {
    ...form.field('content'),
    label: fieldLabels.content,
    hint: 'Uma linha em branco separa parágrafos. Negrito, itálico, links e listas: selecione palavras e toque em um botão.',
  };
  // New activities cannot have the axis `values`, but older ones can keep it.
  const [offered] = useState(() => (axis === 'values' ? [...formAxes, 'values' as const] : formAxes));
  return (
    <form {...form.props} className={styles.form}>
      <ErrorSummary problems={form.problems} />
      {children}
      <div className={styles.main}>
        <TextField {...form.field('title')} label={fieldLabels.title} autoComplete="off" />
        <VideoField field={form.field('url')} shown={form.values} />
        <FieldLayout
          {...content}
          input={
            <>
              <TextToolbar fieldId={content.id} />
              <textarea {...controlProps(content)} rows={contentRows} />
            </>
          }
        />
      </div>
      <div className={styles.side}>
        <AxisChoice {...form.field('axis')} offered={offered} />
        <ActivityFiles form={form} isNew={base === undefined} />
        <TextField
          {...form.field('minutes')}
          label={fieldLabels.minutes}
          hint="Opcional. De um áudio enviado aqui, o site lê a duração sozinho."
          inputMode="numeric"
          autoComplete="off"
          required={false}
        />
        <RadioGroup
          {...form.field('night')}
          legend={fieldLabels.night}
          hint="Aparece em Práticas, em um dos três atalhos da noite."
          options={nightOptions}
        />
        <NeedsChoice {...form.field('needs')} />
        <RadioGroup
          {...form.field('visibility')}
          legend={fieldLabels.visibility}
          hint="Só na administração: os visitantes ainda não veem."
          options={visibilityOptions}
        />
      </div>
      <SaveBar
        actions={
          <>
            {actions}
            <PatientPreview base={base} values={form.values} />
          </>
        }
      >
        <FormMessage message={form.message} onReload={form.onReload} />
        <p role="status">
          {form.uploading && 'Antes de salvar, deixe o envio do arquivo terminar, ou cancele-o.'}
        </p>
        <p role="status">{kept && 'O rascunho fica neste aparelho até você salvar.'}</p>
      </SaveBar>
    </form>
  );
}

/** Checkboxes for the needs of the site content. The field keeps the ids of needs that were removed. */
function NeedsChoice({ id, value, error, onValue }: FieldState) {
  const { needs } = useContent('practices');
  if (needs.length === 0) return null;
  const chosen = needIdsIn(value);
  const removed = chosen.filter((one) => needs.every((need) => need.id !== one));
  return (
    <CheckboxGroup
      id={id}
      error={error}
      legend={fieldLabels.needs}
      hint="Opcional. Os nomes estão em Site, na parte Práticas."
      options={needs.map((need) => [need.id, need.name])}
      values={chosen}
      onValues={(values) => onValue([...values, ...removed].join(' '))}
    />
  );
}
