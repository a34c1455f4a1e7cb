import { useCallback, useId } from 'react';
import { classNames } from '#web/components/class-names.ts';
import { FieldError } from '#web/components/form/field.tsx';
import { CheckboxGroup, Choice, RadioGroup } from '#web/components/form/radio-group.tsx';
import { AudioPlayer } from '#web/components/media/audio-player.tsx';
import { useToast } from '#web/components/toast.tsx';
import { UploadField } from '#web/components/upload/upload-field.tsx';
import { StoredPicture } from '#web/components/upload/upload-preview.tsx';
import type { AnyGroup, FilePlan, Plan, SwitchPlan } from '../plans/plan.ts';
import { type ChoicePlan, type ChoicesPlan, optionLabel } from '../plans/plan.ts';
import { SampleMark } from '../samples.tsx';
import { fieldId, useSectionEditing } from '../section-editing.ts';
import type { Path } from '../values.ts';
import { valueAt } from '../values.ts';
import { Heading } from './heading.tsx';
import { ListField } from './list-field.tsx';
import { ConfirmedField, PartsField } from './parts-field.tsx';
import styles from './plan-field.module.css';
import { BlocksField, LinesField, PlannedTextField } from './text-fields.tsx';

/** Renders what edits a value: one field, a list, or a group of fields. */
export function PlanField({ plan, path }: { plan: Plan; path: Path }) {
  switch (plan.kind) {
    case 'hidden':
      return null;
    case 'text':
      return <PlannedTextField plan={plan} path={path} />;
    case 'lines':
      return <LinesField plan={plan} path={path} />;
    case 'blocks':
      return <BlocksField plan={plan} path={path} />;
    case 'choice':
      return <ChoiceField plan={plan} path={path} />;
    case 'switch':
      return <SwitchField plan={plan} path={path} />;
    case 'choices':
      return <ChoicesField plan={plan} path={path} />;
    case 'file':
      return <FileField plan={plan} path={path} />;
    case 'parts':
      return <PartsField plan={plan} path={path} />;
    case 'confirmed':
      return <ConfirmedField plan={plan} path={path} />;
    case 'list':
      return <ListField plan={plan} path={path} fieldsOf={fieldsOf} />;
    case 'group':
      return <Group plan={plan} path={path} />;
  }
}

/** The fields of a list's item. They need no group heading, because the item shows its own heading. */
const fieldsOf = (plan: Plan, path: Path) =>
  plan.kind === 'group' ? <GroupFields plan={plan} path={path} /> : <PlanField plan={plan} path={path} />;

/** The fields of a group without its heading. */
export const GroupFields = ({ plan, path }: { plan: AnyGroup; path: Path }) =>
  Object.entries(plan.fields).map(([key, inner]) => (
    <PlanField key={key} plan={inner} path={[...path, key]} />
  ));

function Group({ plan, path }: { plan: AnyGroup; path: Path }) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: some browsers cannot lay out a fieldset as a grid.
    <div
      role="group"
      aria-labelledby={id}
      className={classNames(styles.group, path.length > 1 && styles.inner)}
    >
      <Heading path={path} id={id} className={styles.title}>
        {plan.label}
      </Heading>
      {plan.hint && <p className={styles.hint}>{plan.hint}</p>}
      <GroupFields plan={plan} path={path} />
    </div>
  );
}

/** A field for choosing one option, as radio buttons. */
function ChoiceField({ plan, path }: { plan: ChoicePlan; path: Path }) {
  const { content, change, errorAt } = useSectionEditing();
  return (
    <RadioGroup
      id={fieldId(path)}
      legend={plan.label}
      value={String(valueAt(content, path))}
      options={optionsOf(plan)}
      error={errorAt(path)}
      onValue={(option) => change(path, option)}
    />
  );
}

/** A field for choosing any number of options, as checkboxes. */
function ChoicesField({ plan, path }: { plan: ChoicesPlan; path: Path }) {
  const { content, change, errorAt, leave } = useSectionEditing();
  return (
    <CheckboxGroup
      id={fieldId(path)}
      legend={plan.label}
      values={valueAt(content, path) as string[]}
      options={optionsOf(plan)}
      error={errorAt(path)}
      onValues={(options) => {
        change(path, options);
        leave(path);
      }}
    />
  );
}

const optionsOf = (plan: ChoicePlan | ChoicesPlan) =>
  plan.options.map((option) => [option, optionLabel(plan, option)] as const);

/** A checkbox for a part of the site that an admin can switch off. */
function SwitchField({ plan, path }: { plan: SwitchPlan; path: Path }) {
  const { content, change } = useSectionEditing();
  const id = fieldId(path);
  return (
    <div className={styles.switch}>
      <Choice
        className={styles.label}
        id={id}
        type="checkbox"
        aria-describedby={plan.hint && `${id}-hint`}
        checked={valueAt(content, path) === true}
        onChange={({ target }) => change(path, target.checked)}
      >
        {plan.label}
      </Choice>
      {plan.hint && (
        <p className={styles.switchFieldHint} id={`${id}-hint`}>
          {plan.hint}
        </p>
      )}
    </div>
  );
}

/** A field for a picture or a sound. It uploads a file at once; visitors see the file after a publication. */
function FileField({ plan, path }: { plan: FilePlan; path: Path }) {
  const { content, change, errorAt, setBusy, isSample } = useSectionEditing();
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
      {isSample(path) && (
        <p>
          <SampleMark />
        </p>
      )}
      {plan.hint && <p className={styles.fileFieldHint}>{plan.hint}</p>}
      <FieldError error={errorAt(path)} />
    </div>
  );
}
