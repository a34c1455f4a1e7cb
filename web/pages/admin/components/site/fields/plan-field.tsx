import { useId } from 'react';
import { classNames } from '#web/components/class-names.ts';
import type { AnyGroup, Plan } from '../plans/plan.ts';
import type { Path } from '../values.ts';
import { ChoiceField, ChoicesField } from './choice-field.tsx';
import { FileField } from './file-field.tsx';
import { Heading } from './heading.tsx';
import { ListField } from './list-field.tsx';
import styles from './plan-field.module.css';
import { SwitchField } from './switch-field.tsx';
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
